//===- Main.cpp - clmali-layer-bench: what the layer costs at each call
//------------------------===//
//
//   clmali-layer-bench                     launches the two kernels once; to be recorded
//   clmali-layer-bench LAYER.so [ROUNDS]   ns per call without and with the layer, as JSON
//
// Everything is done by the first OpenCL device, except for launches and their events: these do
// nothing, so that only the layer is measured. The environment says what the layer does
// (CLMALI_RECORD, CLMALI_INJECT). tools/bench --layer runs it.
//
//===------------------------------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

const char *Source = R"(
__kernel void scale(__global const float *in, __global float *out, float factor, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * factor;
}
__kernel void other(__global const float *in, __global float *out, float factor, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] + factor;
}
)";

constexpr unsigned MostCalls = 20000, DeviceCalls = 500; ///< of one measurement
constexpr int Whole = 4096, Odd = 4099;

[[noreturn]] void fail(const char *What, int Code) {
  std::fprintf(stderr, "clmali-layer-bench: %s: %d\n", What, Code);
  std::exit(2);
}
void check(cl_int Code, const char *What) {
  if (Code != CL_SUCCESS)
    fail(What, Code);
}

/// Launches that do nothing. Their event is complete at once; only its address is used. Events of
/// other commands are the device's.
const cl_icd_dispatch *Own = nullptr;
unsigned long Launches = 0;
char Nothing;
bool isNothing(cl_event E) { return reinterpret_cast<char *>(E) == &Nothing; }

cl_int CL_API_CALL enqueue(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                           const size_t *, cl_uint, const cl_event *, cl_event *Event) {
  ++Launches;
  if (Event)
    *Event = reinterpret_cast<cl_event>(&Nothing);
  return CL_SUCCESS;
}
cl_int CL_API_CALL retainEvent(cl_event E) {
  return isNothing(E) ? CL_SUCCESS : Own->clRetainEvent(E);
}
cl_int CL_API_CALL releaseEvent(cl_event E) {
  return isNothing(E) ? CL_SUCCESS : Own->clReleaseEvent(E);
}
cl_int CL_API_CALL setEventCallback(cl_event E, cl_int Status,
                                    void(CL_CALLBACK *Notify)(cl_event, cl_int, void *),
                                    void *User) {
  if (!isNothing(E))
    return Own->clSetEventCallback(E, Status, Notify, User);
  Notify(E, CL_COMPLETE, User);
  return CL_SUCCESS;
}
cl_int CL_API_CALL getProfiling(cl_event E, cl_profiling_info What, size_t Size, void *Value,
                                size_t *Result) {
  if (!isNothing(E))
    return Own->clGetEventProfilingInfo(E, What, Size, Value, Result);
  *static_cast<cl_ulong *>(Value) = 0;
  return CL_SUCCESS;
}

/// A context, a queue, and the two kernels with their arguments, all by one table of functions.
struct Setup {
  const cl_icd_dispatch &T;
  cl_command_queue Queue = nullptr;
  cl_kernel Scale = nullptr, Other = nullptr;
  cl_mem In = nullptr, Out = nullptr;

  Setup(const cl_icd_dispatch &T, cl_device_id Device) : T(T) {
    cl_int E = 0;
    cl_context Context = T.clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &E);
    check(E, "clCreateContext");
    Queue = T.clCreateCommandQueue(Context, Device, 0, &E);
    check(E, "clCreateCommandQueue");
    cl_program Program = T.clCreateProgramWithSource(Context, 1, &Source, nullptr, &E);
    check(E, "clCreateProgramWithSource");
    check(T.clBuildProgram(Program, 1, &Device, "", nullptr, nullptr), "clBuildProgram");
    std::vector<float> Ones(Odd, 1.0f);
    cl_mem_flags Copies = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    In = T.clCreateBuffer(Context, Copies, Odd * sizeof(float), Ones.data(), &E);
    check(E, "clCreateBuffer");
    Out = T.clCreateBuffer(Context, Copies, Odd * sizeof(float), Ones.data(), &E);
    check(E, "clCreateBuffer");
    for (auto [K, Name] : {std::pair{&Scale, "scale"}, std::pair{&Other, "other"}}) {
      *K = T.clCreateKernel(Program, Name, &E);
      check(E, "clCreateKernel");
      const float Factor = 2;
      check(T.clSetKernelArg(*K, 0, sizeof In, &In), "clSetKernelArg");
      check(T.clSetKernelArg(*K, 1, sizeof Out, &Out), "clSetKernelArg");
      check(T.clSetKernelArg(*K, 2, sizeof Factor, &Factor), "clSetKernelArg");
      setCount(*K, Whole);
    }
  }
  void setCount(cl_kernel K, int N) const {
    check(T.clSetKernelArg(K, 3, sizeof N, &N), "clSetKernelArg");
  }
  void launch(cl_kernel K, int N) const {
    const size_t Global = N;
    check(T.clEnqueueNDRangeKernel(Queue, K, 1, nullptr, &Global, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }
};

struct Row {
  std::string Name;
  std::vector<double> Nanoseconds;
  double LaunchesEach = 0;
};

template <typename Function> void measure(Row &R, Function Call, unsigned Calls = MostCalls) {
  const unsigned long Before = Launches;
  const auto Start = std::chrono::steady_clock::now();
  for (unsigned I = 0; I < Calls; ++I)
    Call();
  const std::chrono::duration<double, std::nano> Time = std::chrono::steady_clock::now() - Start;
  R.Nanoseconds.push_back(Time.count() / Calls);
  R.LaunchesEach = double(Launches - Before) / Calls;
}

/// Some rounds of all rows: the device's own enqueue, then without the layer and with it.
std::vector<Row> measureAll(const Setup &Real, const Setup &Plain, const Setup &Layered,
                            unsigned Rounds) {
  std::vector<Row> Rows(9);
  for (unsigned R = 0; R < Rounds; ++R) {
    size_t Next = 1;
    Rows[0].Name = "device";
    measure(Rows[0], [&] { Real.launch(Real.Other, Whole); }, DeviceCalls);
    check(Real.T.clFinish(Real.Queue), "clFinish");
    for (const auto &[S, Which] : {std::pair{&Plain, "without"}, std::pair{&Layered, "with"}}) {
      auto row = [&, Label = Which](const char *Name) -> Row & {
        Rows[Next].Name = std::string(Label) + " " + Name;
        return Rows[Next++];
      };
      measure(row("set"), [&, S = S] { S->setCount(S->Scale, Whole); });
      measure(row("other"), [&, S = S] { S->launch(S->Other, Whole); });
      measure(row("whole"), [&, S = S] { S->launch(S->Scale, Whole); });
      S->setCount(S->Scale, Odd);
      measure(row("odd"), [&, S = S] { S->launch(S->Scale, Odd); });
    }
  }
  return Rows;
}

void print(const std::vector<Row> &Rows) {
  std::printf("[");
  for (const Row &R : Rows) {
    std::printf("%s\n{\"name\": \"%s\", \"launches\": %g, \"ns\": [", &R == &Rows[0] ? "" : ",",
                R.Name.c_str(), R.LaunchesEach);
    for (size_t I = 0; I < R.Nanoseconds.size(); ++I)
      std::printf("%s%.1f", I ? ", " : "", R.Nanoseconds[I]);
    std::printf("]}");
  }
  std::printf("\n]\n");
}

} // namespace

int main(int ArgumentCount, char **Arguments) {
  cl_platform_id Platform = nullptr;
  cl_device_id Device = nullptr;
  check(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr), "clGetDeviceIDs");
  // By the ICD extension, the object of a platform begins with its table.
  if (ArgumentCount < 2) {
    cl_icd_dispatch Loader = {};
    Loader.clCreateContext = clCreateContext;
    Loader.clCreateCommandQueue = clCreateCommandQueue;
    Loader.clCreateProgramWithSource = clCreateProgramWithSource;
    Loader.clBuildProgram = clBuildProgram;
    Loader.clCreateBuffer = clCreateBuffer;
    Loader.clCreateKernel = clCreateKernel;
    Loader.clSetKernelArg = clSetKernelArg;
    Loader.clEnqueueNDRangeKernel = clEnqueueNDRangeKernel;
    Setup S(Loader, Device);
    for (int N : {Whole, Odd, 1000}) {
      S.setCount(S.Scale, N);
      S.launch(S.Scale, N);
    }
    check(clFinish(S.Queue), "clFinish");
    return 0;
  }
  Own = *reinterpret_cast<cl_icd_dispatch **>(Platform);
  cl_icd_dispatch Below = *Own;
  Below.clEnqueueNDRangeKernel = enqueue;
  Below.clRetainEvent = retainEvent;
  Below.clReleaseEvent = releaseEvent;
  Below.clSetEventCallback = setEventCallback;
  Below.clGetEventProfilingInfo = getProfiling;
  void *Layer = dlopen(Arguments[1], RTLD_NOW);
  auto Init = Layer ? reinterpret_cast<pfn_clInitLayer>(dlsym(Layer, "clInitLayer")) : nullptr;
  if (!Init)
    fail(Arguments[1], 0);
  const cl_icd_dispatch *Top = nullptr;
  cl_uint Count = 0;
  check(Init(sizeof Below / sizeof(void *), &Below, &Count, &Top), "clInitLayer");
  const unsigned Rounds = ArgumentCount > 2 ? std::max(1, std::atoi(Arguments[2])) : 9;
  print(measureAll(Setup(*Own, Device), Setup(Below, Device), Setup(*Top, Device), Rounds));
  return 0;
}
