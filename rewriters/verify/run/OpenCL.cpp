#include "rewriters/verify/run/OpenCL.h"

#include <dlfcn.h>

using namespace llvm;

namespace clmali::verify {

Expected<Api> loadApi(const std::string &Library) {
  const char *Name = Library.empty() ? "libOpenCL.so.1" : Library.c_str();
  void *Handle = dlopen(Name, RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    const char *Why = dlerror();
    return createStringError(inconvertibleErrorCode(),
                             std::string("cannot load ") + Name + " (" + (Why ? Why : "?") + ")" +
                                 (Library.empty()
                                      ? "; install an OpenCL loader and a device, on Debian: apt "
                                        "install ocl-icd-libopencl1 pocl-opencl-icd"
                                      : ""));
  }
  Api A;
#define X(Function)                                                                                \
  A.Function = reinterpret_cast<decltype(&::Function)>(dlsym(Handle, #Function));                  \
  if (!A.Function)                                                                                 \
    return createStringError(inconvertibleErrorCode(), std::string(Name) + " has no " #Function);
  CLMALI_OPENCL_FUNCTIONS(X)
#undef X
  return A;
}

std::string errorName(cl_int Code) {
  const char *Name = "OpenCL error";
  switch (Code) {
#define CASE(C)                                                                                    \
  case C:                                                                                          \
    Name = #C;                                                                                     \
    break;
    CASE(CL_DEVICE_NOT_FOUND)
    CASE(CL_DEVICE_NOT_AVAILABLE)
    CASE(CL_COMPILER_NOT_AVAILABLE)
    CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    CASE(CL_OUT_OF_RESOURCES)
    CASE(CL_OUT_OF_HOST_MEMORY)
    CASE(CL_BUILD_PROGRAM_FAILURE)
    CASE(CL_MISALIGNED_SUB_BUFFER_OFFSET)
    CASE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
    CASE(CL_INVALID_VALUE)
    CASE(CL_INVALID_PLATFORM)
    CASE(CL_INVALID_DEVICE)
    CASE(CL_INVALID_BUFFER_SIZE)
    CASE(CL_INVALID_IMAGE_SIZE)
    CASE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
    CASE(CL_IMAGE_FORMAT_NOT_SUPPORTED)
    CASE(CL_INVALID_SAMPLER)
    CASE(CL_INVALID_BUILD_OPTIONS)
    CASE(CL_INVALID_PROGRAM_EXECUTABLE)
    CASE(CL_INVALID_KERNEL_NAME)
    CASE(CL_INVALID_KERNEL_DEFINITION)
    CASE(CL_INVALID_KERNEL)
    CASE(CL_INVALID_ARG_INDEX)
    CASE(CL_INVALID_ARG_VALUE)
    CASE(CL_INVALID_ARG_SIZE)
    CASE(CL_INVALID_KERNEL_ARGS)
    CASE(CL_INVALID_WORK_DIMENSION)
    CASE(CL_INVALID_WORK_GROUP_SIZE)
    CASE(CL_INVALID_WORK_ITEM_SIZE)
    CASE(CL_INVALID_GLOBAL_OFFSET)
    CASE(CL_INVALID_GLOBAL_WORK_SIZE)
    CASE(CL_INVALID_OPERATION)
#undef CASE
  case -1001:
    Name = "no platform";
    break;
  }
  return std::string(Name) + " (" + std::to_string(Code) + ")";
}

Error callFailed(StringRef Call, cl_int Code) {
  return createStringError(inconvertibleErrorCode(), Call + ": " + errorName(Code));
}

} // namespace clmali::verify
