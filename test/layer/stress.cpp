//===- stress.cpp - a program that uses OpenCL in awkward ways --------------------------------===//
//
// Eight threads on one context: queues out of order, user events that the same thread or another
// one sets, sub-buffers, NULL local sizes, offsets, objects released before their last use. Each
// thread checks its results. Run alone, recorded, and with injection, it must print the same line.
//
//===------------------------------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static const char *Source = R"(
__kernel void scale(__global const int *in, __global int *out, int factor, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * factor + 1;
}
__kernel void add(__global int *data, int step) {
  int i = get_global_id(0);
  data[i] += step;
}
__kernel void sums(__global const int *in, __global int *out, __local int *part) {
  int l = get_local_id(0), g = get_group_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int s = 0;
    for (int i = 0; i < (int)get_local_size(0); ++i)
      s += part[i];
    out[g] = s;
  }
}
)";

namespace {

unsigned Threads = 8; ///< with --single 1, for implementations for one thread
constexpr unsigned Rounds = 6;

bool Lenient = false; ///< go on after a wrong result

void wrong(const char *What, int Code) {
  if (Lenient)
    return;
  std::fprintf(stderr, "stress: %s: wrong element %d\n", What, Code);
  std::_Exit(1);
}
[[noreturn]] void fail(const char *What, int Code) {
  std::fprintf(stderr, "stress: %s: %d\n", What, Code);
  std::_Exit(1);
}
void check(cl_int Code, const char *What) {
  if (Code != CL_SUCCESS)
    fail(What, Code);
}

struct Shared {
  cl_context Context;
  cl_device_id Device;
  cl_program Program;
};

class Thread {
public:
  Thread(const Shared &S, unsigned Number) : S(S), Number(Number) {
    cl_int E = 0;
    bool OutOfOrder = Number % 2;
    Queue = clCreateCommandQueue(S.Context, S.Device,
                                 OutOfOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &E);
    check(E, "clCreateCommandQueue");
  }
  ~Thread() { clReleaseCommandQueue(Queue); }

  long run() {
    long Total = 0;
    for (unsigned R = 0; R < Rounds; ++R)
      Total += scale(R) + parts() + groups();
    return Total;
  }

private:
  cl_mem buffer(size_t Ints, const void *From = nullptr) {
    cl_int E = 0;
    cl_mem M = clCreateBuffer(S.Context, CL_MEM_READ_WRITE | (From ? CL_MEM_COPY_HOST_PTR : 0),
                              Ints * sizeof(int), const_cast<void *>(From), &E);
    check(E, "clCreateBuffer");
    return M;
  }
  cl_kernel kernel(const char *Name) {
    cl_int E = 0;
    cl_kernel K = clCreateKernel(S.Program, Name, &E);
    check(E, "clCreateKernel");
    return K;
  }

  /// A launch behind a user event, which this thread or another one sets after it.
  long scale(unsigned Round) {
    const int N = 1000 + 7 * Number + Round, Factor = 3;
    std::vector<int> In(N), Out(N);
    for (int I = 0; I < N; ++I)
      In[I] = I;
    cl_mem A = buffer(N, In.data()), B = buffer(N);
    cl_kernel K = kernel("scale");
    check(clSetKernelArg(K, 0, sizeof A, &A), "clSetKernelArg");
    check(clSetKernelArg(K, 1, sizeof B, &B), "clSetKernelArg");
    check(clSetKernelArg(K, 2, sizeof Factor, &Factor), "clSetKernelArg");
    check(clSetKernelArg(K, 3, sizeof N, &N), "clSetKernelArg");
    cl_int E = 0;
    cl_event Start = clCreateUserEvent(S.Context, &E), Done = nullptr, Read = nullptr;
    check(E, "clCreateUserEvent");
    size_t Global = (N + 63) / 64 * 64, Local = 64;
    check(clEnqueueNDRangeKernel(Queue, K, 1, nullptr, &Global, Round % 2 ? &Local : nullptr, 1,
                                 &Start, &Done),
          "clEnqueueNDRangeKernel");
    // Released before they are used for the last time: the commands hold them.
    clReleaseKernel(K);
    clReleaseMemObject(A);
    check(clEnqueueReadBuffer(Queue, B, CL_FALSE, 0, N * sizeof(int), Out.data(), 1, &Done, &Read),
          "clEnqueueReadBuffer");
    clReleaseMemObject(B);
    if (Number % 3 == 0) {
      std::thread Other([&] { clSetUserEventStatus(Start, CL_COMPLETE); });
      Other.join();
    } else {
      clSetUserEventStatus(Start, CL_COMPLETE);
    }
    check(clWaitForEvents(1, &Read), "clWaitForEvents");
    for (cl_event X : {Start, Done, Read})
      clReleaseEvent(X);
    long Sum = 0;
    for (int I = 0; I < N; ++I) {
      if (Out[I] != I * Factor + 1)
        wrong("scale", I);
      Sum += Out[I];
    }
    return Sum;
  }

  /// Two sub-buffers of one buffer, one after the other, and the whole.
  long parts() {
    const size_t N = 4096;
    cl_mem Whole = buffer(N);
    int Zero = 0;
    check(clEnqueueFillBuffer(Queue, Whole, &Zero, sizeof Zero, 0, N * sizeof(int), 0, nullptr,
                              nullptr),
          "clEnqueueFillBuffer");
    clFinish(Queue);
    cl_kernel K = kernel("add");
    for (int Part = 0; Part < 2; ++Part) {
      cl_buffer_region Region = {Part * N / 2 * sizeof(int), N / 2 * sizeof(int)};
      cl_int E = 0;
      cl_mem Sub =
          clCreateSubBuffer(Whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &Region, &E);
      check(E, "clCreateSubBuffer");
      int Step = Part + 5;
      check(clSetKernelArg(K, 0, sizeof Sub, &Sub), "clSetKernelArg");
      check(clSetKernelArg(K, 1, sizeof Step, &Step), "clSetKernelArg");
      size_t Global = N / 4, Offset = N / 4;
      check(clEnqueueNDRangeKernel(Queue, K, 1, &Offset, &Global, nullptr, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
      clReleaseMemObject(Sub);
      clFinish(Queue);
    }
    std::vector<int> Out(N);
    check(clEnqueueReadBuffer(Queue, Whole, CL_TRUE, 0, N * sizeof(int), Out.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    clReleaseKernel(K);
    clReleaseMemObject(Whole);
    long Sum = 0;
    for (size_t I = 0; I < N; ++I) {
      bool Upper = I % (N / 2) >= N / 4;
      if (Out[I] != (Upper ? (I < N / 2 ? 5 : 6) : 0))
        wrong("parts", I);
      Sum += Out[I];
    }
    return Sum;
  }

  /// Local memory; two launches that wait for each other only by an event.
  long groups() {
    const size_t N = 1024, Local = 32;
    std::vector<int> In(N, 1 + Number), Out(N / Local);
    cl_mem A = buffer(N, In.data()), B = buffer(N / Local);
    cl_kernel K = kernel("sums"), Add = kernel("add");
    int Step = 2;
    check(clSetKernelArg(Add, 0, sizeof A, &A), "clSetKernelArg");
    check(clSetKernelArg(Add, 1, sizeof Step, &Step), "clSetKernelArg");
    check(clSetKernelArg(K, 0, sizeof A, &A), "clSetKernelArg");
    check(clSetKernelArg(K, 1, sizeof B, &B), "clSetKernelArg");
    check(clSetKernelArg(K, 2, Local * sizeof(int), nullptr), "clSetKernelArg");
    cl_event First = nullptr, Second = nullptr;
    check(clEnqueueNDRangeKernel(Queue, Add, 1, nullptr, &N, nullptr, 0, nullptr, &First),
          "clEnqueueNDRangeKernel");
    check(clEnqueueNDRangeKernel(Queue, K, 1, nullptr, &N, &Local, 1, &First, &Second),
          "clEnqueueNDRangeKernel");
    clReleaseEvent(First);
    check(clEnqueueReadBuffer(Queue, B, CL_TRUE, 0, Out.size() * sizeof(int), Out.data(), 1,
                              &Second, nullptr),
          "clEnqueueReadBuffer");
    clReleaseEvent(Second);
    clReleaseMemObject(B);
    clReleaseMemObject(A);
    clReleaseKernel(Add);
    clReleaseKernel(K);
    long Sum = 0;
    for (int V : Out) {
      if (V != int(Local * (3 + Number)))
        wrong("groups", V);
      Sum += V;
    }
    return Sum;
  }

  const Shared &S;
  const unsigned Number;
  cl_command_queue Queue;
};

/// A data race and an access outside a block, which the sanitizers must report.
void faults() {
  std::vector<int> *Block = new std::vector<int>(4);
  int *volatile Ints = Block->data();
  std::thread Other([=] { Ints[0] = 1; });
  Ints[0] = 2;
  Other.join();
  std::printf("%d\n", Ints[4]);
  delete Block;
}

} // namespace

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount > 1 && !std::strcmp(Arguments[1], "--faults")) {
    faults();
    return 0;
  }
  Lenient = ArgumentCount > 1 && !std::strcmp(Arguments[1], "--lenient");
  if (ArgumentCount > 1 && !std::strcmp(Arguments[1], "--single"))
    Threads = 1;
  cl_platform_id Platforms[16];
  cl_uint Count = 0;
  Shared S = {};
  check(clGetPlatformIDs(16, Platforms, &Count), "clGetPlatformIDs");
  for (cl_uint I = 0; I < Count && !S.Device; ++I)
    clGetDeviceIDs(Platforms[I], CL_DEVICE_TYPE_ALL, 1, &S.Device, nullptr);
  cl_int E = 0;
  S.Context = clCreateContext(nullptr, 1, &S.Device, nullptr, nullptr, &E);
  check(E, "clCreateContext");
  S.Program = clCreateProgramWithSource(S.Context, 1, &Source, nullptr, &E);
  check(E, "clCreateProgramWithSource");
  check(clBuildProgram(S.Program, 1, &S.Device, "-DUNUSED", nullptr, nullptr), "clBuildProgram");
  char Options[64] = "";
  check(clGetProgramBuildInfo(S.Program, S.Device, CL_PROGRAM_BUILD_OPTIONS, sizeof Options,
                              Options, nullptr),
        "clGetProgramBuildInfo");
  if (std::strcmp(Options, "-DUNUSED") != 0)
    fail("the build options are not those of the program", 0);
  std::vector<long> Sums(Threads);
  std::vector<std::thread> All;
  for (unsigned T = 0; T < Threads; ++T)
    All.emplace_back([&, T] { Sums[T] = Thread(S, T).run(); });
  for (std::thread &T : All)
    T.join();
  clReleaseProgram(S.Program);
  clReleaseContext(S.Context);
  long Total = 0;
  for (long Sum : Sums)
    Total += Sum;
  std::printf("stress: %ld\n", Total);
  return 0;
}
