// The bindings: a class that keeps its queue and buffers, and a pointer to a queue.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.hpp>
#else
#include <CL/opencl.hpp>
#endif
#include <cstdio>
#include <numeric>
#include <vector>

namespace demo {

static const char *Source = R"(
__kernel void scale(__global const int *in, __global int *out, int by) {
  int i = get_global_id(0);
  out[i] = in[i] * by;
}
)";

class Scaler {
public:
  Scaler(const cl::Context &Context, const cl::Device &Device, size_t Count)
      : Queue(Context, Device), Program(Context, Source), In(Context, CL_MEM_READ_ONLY, Count * sizeof(int)),
        Count(Count) {
    Program.build({Device});
    Kernel = cl::Kernel(Program, "scale");
    Out = cl::Buffer(Context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, Count * sizeof(int));
  }

  std::vector<int> run(const std::vector<int> &Data, int By) {
    std::vector<int> Result(Count);
    cl::Event Written;
    Queue.enqueueWriteBuffer(In, CL_TRUE, 0, Count * sizeof(int), Data.data(), nullptr, &Written);
    Kernel.setArg(0, In);
    Kernel.setArg(1, Out);
    Kernel.setArg(2, By);
    std::vector<cl::Event> Before{Written};
    Queue.enqueueNDRangeKernel(Kernel, cl::NullRange, cl::NDRange(Count), cl::NullRange, &Before);
    cl::CommandQueue *Same = &Queue;
    if (Same->enqueueReadBuffer(Out, CL_TRUE, 0, Count * sizeof(int), Result.data()) != CL_SUCCESS)
      Result.clear();
    return Result;
  }

private:
  cl::CommandQueue Queue;
  cl::Program Program;
  cl::Kernel Kernel;
  cl::Buffer In, Out;
  size_t Count;
};

} // namespace demo

// The host has no access to it: mapping is as wrong as reading.
void hidden(const cl::Context &Context, const cl::CommandQueue &Queue, int *Data) {
  cl::Buffer Inner(Context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 64);
  Queue.enqueueReadBuffer(Inner, CL_TRUE, 0, 64, Data);
}

int main() {
  std::vector<cl::Platform> Platforms;
  cl::Platform::get(&Platforms);
  std::vector<cl::Device> Devices;
  Platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &Devices);
  cl::Context Context(Devices.at(0));
  std::vector<int> Data(777);
  std::iota(Data.begin(), Data.end(), 5);
  demo::Scaler S(Context, Devices.at(0), Data.size());
  std::vector<int> Result = S.run(Data, -3);
  long long Sum = 0;
  for (size_t I = 0; I < Result.size(); ++I)
    Sum += static_cast<long long>(Result[I]) * static_cast<long long>(I);
  std::printf("%zu %lld\n", Result.size(), Sum);
}
