//===- Entry.cpp - the interface of OpenCL layers ---------------------------------------------===//
//
// A loader that knows layers (ocl-icd 2.3 and later, Khronos' loader) loads the library that
// OPENCL_LAYERS names and calls clInitLayer with the functions below it. As a drop-in
// libOpenCL.so.1 the library does that itself (dropin/DropIn.cpp).
//
//===------------------------------------------------------------------------------------------===//

#include "tools/layer/Exchange.h"
#include "tools/layer/Files.h"
#include "tools/layer/Inject.h"
#include "tools/layer/Pretend.h"
#include "tools/layer/Record.h"
#include "tools/layer/State.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#ifdef __ANDROID__
#include <sys/auxv.h>
#endif

using namespace clmali::layer;

namespace {

/// secure_getenv gives nothing to programs that gained rights by their file's mode.
std::string setting(const char *Name) {
#ifdef __ANDROID__
  const char *Value = getauxval(AT_SECURE) ? nullptr : getenv(Name);
#else
  const char *Value = secure_getenv(Name);
#endif
  return Value ? Value : "";
}

void atEnd() {
  finishRecording();
  finishInjection();
}

void readSettings() {
  Set.RecordFolder = setting("CLMALI_RECORD");
  Set.InjectFolder = Set.records() ? "" : setting("CLMALI_INJECT");
  if (std::string Kernels = setting("CLMALI_RECORD_KERNELS"); !Kernels.empty())
    Set.Kernels = Kernels;
  if (std::string Data = setting("CLMALI_RECORD_DATA"); !Data.empty())
    Set.Data = Data;
  Set.Report = Set.injects() ? setting("CLMALI_INJECT_REPORT") : "";
  Set.CheckEvery = std::strtoul(setting("CLMALI_INJECT_CHECK").c_str(), nullptr, 10);
  Set.RequireProved = setting("CLMALI_INJECT_REQUIRE") == "proved";
  Set.AllowTested = !setting("CLMALI_INJECT_ALLOW_TESTED").empty();
  Set.RefusesBinaries = Set.records() && !setting("CLMALI_REFUSE_BINARIES").empty();
  Set.Log = !setting("CLMALI_LOG").empty();
}

cl_int answer(const void *Data, size_t Length, size_t Size, void *Value, size_t *Result) {
  if (Value && Size < Length)
    return CL_INVALID_VALUE;
  if (Value)
    std::memcpy(Value, Data, Length);
  if (Result)
    *Result = Length;
  return CL_SUCCESS;
}

} // namespace

#define CLMALI_EXPORT extern "C" __attribute__((visibility("default")))

CLMALI_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info What, size_t Size, void *Value,
                                                size_t *Result) {
  static const cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  static const char Name[] = "clmali";
  if (What == CL_LAYER_API_VERSION)
    return answer(&Version, sizeof Version, Size, Value, Result);
  if (What == CL_LAYER_NAME)
    return answer(Name, sizeof Name, Size, Value, Result);
  return CL_INVALID_VALUE;
}

CLMALI_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint Count, const cl_icd_dispatch *Target,
                                             cl_uint *CountResult, const cl_icd_dispatch **Result) {
  if (!Target || !CountResult || !Result)
    return CL_INVALID_VALUE;
  // Never destroyed: other threads may call OpenCL while the program ends.
  static auto *Table = new cl_icd_dispatch;
  static auto *Below = new cl_icd_dispatch;
  const size_t Known = std::min<size_t>(Count, sizeof *Table / sizeof(void *));
  std::memset(Below, 0, sizeof *Below);
  std::memcpy(Below, Target, Known * sizeof(void *));
  *Table = *Below;
  *CountResult = Known;
  *Result = Table;
  if (Next)
    return CL_SUCCESS; // called twice
  Next = Below;
  readSettings();
  if (Set.records() && !makeFolder(Set.RecordFolder))
    Set.RecordFolder.clear();
  if (Set.injects())
    loadInjection();
  if (!Set.records() && !Set.injects())
    return CL_SUCCESS;
  installObjects(*Table);
  installLaunches(*Table);
  installExchange(*Table);
  if (readPretended(setting("CLMALI_PRETEND")))
    installPretended(*Table);
  // What the implementation lacks stays missing.
  for (size_t I = 0; I < sizeof *Table / sizeof(void *); ++I)
    if (!reinterpret_cast<void **>(Below)[I])
      reinterpret_cast<void **>(Table)[I] = nullptr;
  std::atexit(atEnd);
  return CL_SUCCESS;
}
