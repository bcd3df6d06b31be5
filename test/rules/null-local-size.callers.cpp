// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
static void run(cl_command_queue q, cl_kernel k, size_t n, const size_t *local) {
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, local, 0, nullptr, nullptr); // miss: the caller decides
}
void callers(cl_command_queue q, cl_kernel k) {
  size_t local = 64;
  run(q, k, 4096, &local); // miss: gives one
  run(q, k, 4096, NULL);   // HIT: launched without a local size
}
void kept(cl_command_queue q, cl_kernel k, size_t n) {
  const size_t *local = nullptr;
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, local, 0, nullptr, nullptr); // HIT: launched without a local size
}
void functor(cl::Program &p, cl::CommandQueue &q, cl::Buffer &b) {
  cl::KernelFunctor<cl::Buffer> f(p, "scale");
  f(cl::EnqueueArgs(q, cl::NDRange(4096)), b);                  // HIT: kernel 'scale' is launched without a local size
  f(cl::EnqueueArgs(q, cl::NDRange(4096), cl::NDRange(64)), b); // miss: has one
}
