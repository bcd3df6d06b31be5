#include "no/such/cl.hpp"
void run(cl::Kernel &kernel, cl::CommandQueue &queue, cl::Buffer &buffer) {
  cl::KernelFunctor made(kernel, queue, cl::NullRange, cl::NDRange(64, 64), cl::NDRange(10, 3));
  made(buffer, 1);
  cl::KernelFunctor bound = kernel.bind(queue, cl::NDRange(4096), cl::NDRange(18));
  bound(buffer, 1).wait();
  kernel.bind(queue, cl::NDRange(4096), cl::NDRange(22))(buffer, 1);
}
