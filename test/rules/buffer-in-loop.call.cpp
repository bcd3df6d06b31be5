// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
struct Env { cl_context c; cl_command_queue q; cl_kernel k; cl_mem kept; };
void layer(Env &e, const float *w, size_t n) {
  cl_int err;
  cl_mem wb = clCreateBuffer(e.c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * 4, (void *)w, &err); // HIT: clCreateBuffer is called again at each call of 'layer'
  clSetKernelArg(e.k, 0, sizeof wb, &wb);
  clEnqueueNDRangeKernel(e.q, e.k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
  clReleaseMemObject(wb);
}
void by_object(cl::Context c, cl::CommandQueue q, cl::Kernel k, size_t n) {
  cl::Buffer scratch(c, CL_MEM_READ_WRITE, n); // HIT: cl::Buffer is called again at each call of 'by_object'
  k.setArg(0, scratch);
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(64));
}
void keep(Env &e, size_t n) {
  e.kept = clCreateBuffer(e.c, CL_MEM_READ_WRITE, n, nullptr, nullptr); // miss: it is kept
  clEnqueueNDRangeKernel(e.q, e.k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
}
cl_mem make(Env &e, size_t n) {
  cl_mem b = clCreateBuffer(e.c, CL_MEM_READ_WRITE, n, nullptr, nullptr); // miss: no launch
  return b;
}
void once(cl::Context c, cl::CommandQueue q, cl::Kernel k, size_t n) {
  static cl::Buffer scratch(c, CL_MEM_READ_WRITE, 4096); // miss: static
  k.setArg(0, scratch);
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(64));
}
int main() {
  Env e = {};
  size_t n = 4096;
  cl_mem b = clCreateBuffer(e.c, CL_MEM_READ_WRITE, n, nullptr, nullptr); // miss: once for the program
  clSetKernelArg(e.k, 0, sizeof b, &b);
  clEnqueueNDRangeKernel(e.q, e.k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
  clReleaseMemObject(b);
}
