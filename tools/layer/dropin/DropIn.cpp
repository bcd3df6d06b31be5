//===- DropIn.cpp - libOpenCL.so.1 in place of the real one -----------------------------------===//
//
// For systems whose OpenCL library is no loader that knows layers: vendor libraries on embedded
// Linux and Android, or a driver without its loader. The library opens the real one (CLMALI_OPENCL,
// or the usual paths), fills a table with its functions, and puts the layer on top.
//
//===------------------------------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

constexpr const char *Names[] = {
#define SLOT(index, name) #name,
#define HIDDEN(index, name) #name,
#define EXTRA(index, name)
#include "Entries.def"
#undef SLOT
#undef HIDDEN
#undef EXTRA
};
constexpr const char *Extras[] = {
#define SLOT(index, name)
#define HIDDEN(index, name)
#define EXTRA(index, name) #name,
#include "Entries.def"
#undef SLOT
#undef HIDDEN
#undef EXTRA
};
using pfn_extension = void *(CL_API_CALL *)(const char *);
using pfn_platforms = cl_int(CL_API_CALL *)(cl_uint, cl_platform_id *, cl_uint *);

constexpr unsigned Slots = sizeof Names / sizeof *Names;
constexpr unsigned Others = sizeof Extras / sizeof *Extras;
constexpr unsigned Room = sizeof(cl_icd_dispatch) / sizeof(void *);

/// Usual places of the real library. This one cannot be among them: it has the first of the names.
constexpr const char *Paths[] = {
#ifdef __ANDROID__
    "/vendor/lib64/libOpenCL.so", "/vendor/lib64/libOpenCL-pixel.so", "/vendor/lib64/libPVROCL.so",
    "/vendor/lib64/egl/libGLES_mali.so", "/system/vendor/lib64/libOpenCL.so"
#else
    "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1",
    "/usr/lib/aarch64-linux-gnu/libOpenCL.so.1",
    "/usr/lib64/libOpenCL.so.1",
    "/usr/lib/libOpenCL.so.1",
    "/usr/lib/aarch64-linux-gnu/libmali.so.1",
    "/usr/lib/libmali.so",
    "/usr/lib/libOpenCL.so"
#endif
};

void *openReal() {
#ifdef RTLD_DEEPBIND
  constexpr int Flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#else
  constexpr int Flags = RTLD_NOW | RTLD_LOCAL;
#endif
#ifdef __ANDROID__
  const char *Given = std::getenv("CLMALI_OPENCL");
#else
  const char *Given = secure_getenv("CLMALI_OPENCL");
#endif
  if (Given && *Given)
    return dlopen(Given, Flags);
  for (const char *Path : Paths)
    if (void *Real = dlopen(Path, Flags))
      return Real;
  return nullptr;
}

/// The functions of the real library, in the order of the table.
void findFunctions(void *Real, void **Below) {
  for (unsigned I = 0; I < Slots && I < Room; ++I)
    Below[I] = dlsym(Real, Names[I]);
  auto *Table = reinterpret_cast<cl_icd_dispatch *>(Below);
  if (Table->clGetPlatformIDs)
    return;
  // A driver that is made for a loader exports its platforms only, each of which begins with the
  // table (cl_khr_icd).
  auto Extension = reinterpret_cast<pfn_extension>(dlsym(Real, "clGetExtensionFunctionAddress"));
  auto Platforms = reinterpret_cast<pfn_platforms>(
      Extension ? Extension("clIcdGetPlatformIDsKHR") : dlsym(Real, "clIcdGetPlatformIDsKHR"));
  cl_platform_id First = nullptr;
  if (!Platforms || Platforms(1, &First, nullptr) != CL_SUCCESS || !First)
    return;
  std::memcpy(Table, *reinterpret_cast<cl_icd_dispatch **>(First), sizeof *Table);
  Table->clGetPlatformIDs = Platforms;
  Table->clGetExtensionFunctionAddress = Extension;
}

} // namespace

extern "C" {
__attribute__((visibility("hidden"))) void *clmali_table[Slots + Others];
cl_int CL_API_CALL clInitLayer(cl_uint, const cl_icd_dispatch *, cl_uint *,
                               const cl_icd_dispatch **);
}

__attribute__((constructor)) static void start() {
  void *Real = openReal();
  if (!Real) {
    std::fprintf(stderr, "clmali: no OpenCL library is found; set CLMALI_OPENCL to its path\n");
    std::abort();
  }
  static void *Below[Room];
  findFunctions(Real, Below);
  if (!reinterpret_cast<cl_icd_dispatch *>(Below)->clGetPlatformIDs) {
    std::fprintf(stderr, "clmali: the OpenCL library has no clGetPlatformIDs; set CLMALI_OPENCL to "
                         "the path of another\n");
    std::abort();
  }
  const cl_icd_dispatch *Top = nullptr;
  cl_uint Count = 0;
  if (clInitLayer(Room, reinterpret_cast<cl_icd_dispatch *>(Below), &Count, &Top) != CL_SUCCESS)
    std::abort();
  for (unsigned I = 0; I < Slots; ++I)
    clmali_table[I] = I < Count ? reinterpret_cast<void *const *>(Top)[I] : nullptr;
  for (unsigned I = 0; I < Others; ++I)
    clmali_table[Slots + I] = dlsym(Real, Extras[I]);
}
