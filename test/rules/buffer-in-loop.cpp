// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>
void c_api(cl_context c, size_t n) {
  for (int i = 0; i < 8; ++i)
    clReleaseMemObject(clCreateBuffer(c, CL_MEM_READ_WRITE, n, nullptr, nullptr)); // HIT: clCreateBuffer is called in a loop
}
void cpp_api(cl::Context &Context, size_t n, int frames) {
  while (frames--) {
    cl::Buffer Scratch(Context, CL_MEM_READ_WRITE, n); // HIT: cl::Buffer is called in a loop
  }
}
void once(cl::Context &Context, size_t n) {
  cl::Buffer Scratch(Context, CL_MEM_READ_WRITE, n); // miss: no loop
  for (int i = 0; i < 8; ++i) {
    cl::Buffer Same = Scratch; // miss: another name for the same buffer
  }
}
