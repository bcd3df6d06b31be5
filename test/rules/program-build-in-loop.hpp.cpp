// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
void frames(cl::Program &program, cl::Kernel &kernel, cl::CommandQueue &queue, cl::Buffer &buffer, int n) {
  for (int i = 0; i < n; ++i) {
    cl::KernelFunctor<cl::Buffer> made(program, "scale"); // HIT: cl::KernelFunctor is called in a loop
    made(cl::EnqueueArgs(queue, cl::NDRange(4096)), buffer);
    cl::KernelFunctor<cl::Buffer> same(kernel); // miss: the kernel is there
    same(cl::EnqueueArgs(queue, cl::NDRange(4096)), buffer);
  }
}
