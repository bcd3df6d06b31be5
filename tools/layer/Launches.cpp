//===- Launches.cpp - queues, launches and their events ---------------------------------------===//

#include "tools/layer/Files.h"
#include "tools/layer/Inject.h"
#include "tools/layer/Record.h"
#include "tools/layer/State.h"
#include <set>

namespace clmali::layer {
namespace {

/// Queues that have profiling because the layer asked for it.
class ProfiledQueues {
public:
  void set(cl_command_queue Q, bool Profiled) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    if (Profiled)
      All.insert(Q);
    else
      All.erase(Q);
  }
  bool has(cl_command_queue Q) const {
    std::shared_lock<std::shared_mutex> Guard(Lock);
    return All.count(Q) != 0;
  }

private:
  mutable std::shared_mutex Lock;
  std::set<cl_command_queue> All;
};
ProfiledQueues &profiled() {
  static auto *Queues = new ProfiledQueues;
  return *Queues;
}

bool wantsTimes() { return Set.records() || !Set.Report.empty(); }

cl_command_queue CL_API_CALL createQueue(cl_context Context, cl_device_id Device,
                                         cl_command_queue_properties Properties, cl_int *Error) {
  bool Adds = wantsTimes() && !(Properties & CL_QUEUE_PROFILING_ENABLE);
  cl_command_queue Q = nullptr;
  if (Adds)
    Q = Next->clCreateCommandQueue(Context, Device, Properties | CL_QUEUE_PROFILING_ENABLE, Error);
  Adds &= Q != nullptr;
  if (!Q)
    Q = Next->clCreateCommandQueue(Context, Device, Properties, Error);
  if (Q)
    profiled().set(Q, Adds);
  return Q;
}

cl_command_queue CL_API_CALL createQueueWithProperties(cl_context Context, cl_device_id Device,
                                                       const cl_queue_properties *Properties,
                                                       cl_int *Error) {
  std::vector<cl_queue_properties> More;
  bool HasMask = false, Adds = wantsTimes();
  for (const cl_queue_properties *P = Properties; P && *P; P += 2) {
    cl_queue_properties Value = P[1];
    if (*P == CL_QUEUE_PROPERTIES) {
      HasMask = true;
      Adds &= !(Value & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE));
      Value |= CL_QUEUE_PROFILING_ENABLE;
    }
    More.push_back(*P);
    More.push_back(Value);
  }
  if (!HasMask) {
    More.push_back(CL_QUEUE_PROPERTIES);
    More.push_back(CL_QUEUE_PROFILING_ENABLE);
  }
  More.push_back(0);
  cl_command_queue Q = nullptr;
  if (Adds)
    Q = Next->clCreateCommandQueueWithProperties(Context, Device, More.data(), Error);
  Adds &= Q != nullptr;
  if (!Q)
    Q = Next->clCreateCommandQueueWithProperties(Context, Device, Properties, Error);
  if (Q)
    profiled().set(Q, Adds);
  return Q;
}

/// The program sees the properties that it asked for.
cl_int CL_API_CALL getQueueInfo(cl_command_queue Q, cl_command_queue_info What, size_t Size,
                                void *Value, size_t *Result) {
  cl_int Error = Next->clGetCommandQueueInfo(Q, What, Size, Value, Result);
  if (Error == CL_SUCCESS && Value && What == CL_QUEUE_PROPERTIES && profiled().has(Q))
    *static_cast<cl_command_queue_properties *>(Value) &= ~cl_ulong(CL_QUEUE_PROFILING_ENABLE);
  return Error;
}

cl_int launch(const Launch &L) {
  std::shared_ptr<KernelState> K = kernels().find(L.Kernel);
  if (!K || !K->Program || !L.Global || L.Dimensions < 1 || L.Dimensions > 3)
    return L.enqueue();
  if (Set.records() && !matches(Set.Kernels, K->Name)) {
    countCall("launch of another name");
    return L.enqueue();
  }
  if (Set.records())
    return recordLaunch(*K, L);
  return K->Injected ? injectLaunch(*K, L) : L.enqueue();
}

cl_int CL_API_CALL enqueueNDRange(cl_command_queue Queue, cl_kernel Kernel, cl_uint Dimensions,
                                  const size_t *Offset, const size_t *Global, const size_t *Local,
                                  cl_uint WaitCount, const cl_event *Waits, cl_event *Event) {
  return launch({Queue, Kernel, Dimensions, Offset, Global, Local, WaitCount, Waits, Event});
}

cl_int CL_API_CALL enqueueTask(cl_command_queue Queue, cl_kernel Kernel, cl_uint WaitCount,
                               const cl_event *Waits, cl_event *Event) {
  const size_t One = 1;
  return launch({Queue, Kernel, 1, nullptr, &One, &One, WaitCount, Waits, Event});
}

/// An event of several launches begins where the first one begins.
cl_int CL_API_CALL getProfilingInfo(cl_event E, cl_profiling_info What, size_t Size, void *Value,
                                    size_t *Result) {
  if (What == CL_PROFILING_COMMAND_QUEUED || What == CL_PROFILING_COMMAND_SUBMIT ||
      What == CL_PROFILING_COMMAND_START)
    if (cl_event First = firstOf(E))
      return Next->clGetEventProfilingInfo(First, What, Size, Value, Result);
  return Next->clGetEventProfilingInfo(E, What, Size, Value, Result);
}

cl_int CL_API_CALL releaseEvent(cl_event E) {
  if (firstOf(E)) {
    cl_uint Count = 0;
    Next->clGetEventInfo(E, CL_EVENT_REFERENCE_COUNT, sizeof Count, &Count, nullptr);
    if (Count == 1)
      forgetEvent(E);
  }
  return Next->clReleaseEvent(E);
}

/// Functions of extensions do not pass the layer: what is recorded into command buffers is seen
/// neither by recordings nor by injection.
void *CL_API_CALL getExtension(cl_platform_id Platform, const char *Name) {
  std::string Text = Name ? Name : "";
  if (Text == "clCommandNDRangeKernelKHR") {
    noteUnrecorded(Text, "launches in command buffers are not recorded");
    noteLeft("*", "launches in command buffers");
  }
  return Next->clGetExtensionFunctionAddressForPlatform(Platform, Name);
}

} // namespace

void installLaunches(cl_icd_dispatch &Table) {
  Table.clCreateCommandQueue = createQueue;
  Table.clCreateCommandQueueWithProperties = createQueueWithProperties;
  Table.clGetCommandQueueInfo = getQueueInfo;
  Table.clEnqueueNDRangeKernel = enqueueNDRange;
  Table.clEnqueueTask = enqueueTask;
  Table.clGetEventProfilingInfo = getProfilingInfo;
  Table.clReleaseEvent = releaseEvent;
  Table.clGetExtensionFunctionAddressForPlatform = getExtension;
}

} // namespace clmali::layer
