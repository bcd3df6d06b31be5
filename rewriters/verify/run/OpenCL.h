// The OpenCL 1.2 entry points, loaded when they are needed.
//
// The library is opened by name, and nothing is linked against it. So the judge starts without an
// OpenCL loader and reports what is missing; and another child process can load Oclgrind's runtime,
// which exports the same names. Only child processes call these functions.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_OPENCL_H
#define CLMALI_REWRITERS_VERIFY_RUN_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include "llvm/Support/Error.h"

#include <string>

#define CLMALI_OPENCL_FUNCTIONS(X)                                                                 \
  X(clGetPlatformIDs)                                                                              \
  X(clGetPlatformInfo)                                                                             \
  X(clGetDeviceIDs)                                                                                \
  X(clGetDeviceInfo)                                                                               \
  X(clCreateContext)                                                                               \
  X(clReleaseContext)                                                                              \
  X(clCreateCommandQueue)                                                                          \
  X(clReleaseCommandQueue)                                                                         \
  X(clCreateProgramWithSource)                                                                     \
  X(clBuildProgram)                                                                                \
  X(clGetProgramBuildInfo)                                                                         \
  X(clReleaseProgram)                                                                              \
  X(clCreateKernel)                                                                                \
  X(clReleaseKernel)                                                                               \
  X(clGetKernelInfo)                                                                               \
  X(clGetKernelArgInfo)                                                                            \
  X(clGetKernelWorkGroupInfo)                                                                      \
  X(clSetKernelArg)                                                                                \
  X(clCreateBuffer)                                                                                \
  X(clCreateSubBuffer)                                                                             \
  X(clCreateImage)                                                                                 \
  X(clGetSupportedImageFormats)                                                                    \
  X(clEnqueueReadImage)                                                                            \
  X(clEnqueueWriteImage)                                                                           \
  X(clCreateSampler)                                                                               \
  X(clReleaseMemObject)                                                                            \
  X(clEnqueueReadBuffer)                                                                           \
  X(clEnqueueWriteBuffer)                                                                          \
  X(clEnqueueNDRangeKernel)                                                                        \
  X(clWaitForEvents)                                                                               \
  X(clGetEventProfilingInfo)                                                                       \
  X(clReleaseEvent)                                                                                \
  X(clFinish)

namespace clmali::verify {

struct Api {
#define X(Function) decltype(&::Function) Function = nullptr;
  CLMALI_OPENCL_FUNCTIONS(X)
#undef X
};

/// Opens \p Library ("" is the system's loader). The error says what to install.
llvm::Expected<Api> loadApi(const std::string &Library);

/// "CL_OUT_OF_RESOURCES (-5)".
std::string errorName(cl_int Code);
/// "clCreateBuffer: CL_OUT_OF_RESOURCES (-5)".
llvm::Error callFailed(llvm::StringRef Call, cl_int Code);

} // namespace clmali::verify

#endif
