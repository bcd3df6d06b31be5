// RUN: %{python} %{expect} %s
// Made by what owns them.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <memory>
#include <vector>
void owned(cl::Context &c, cl::CommandQueue &q, cl::Kernel &k, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    auto b = std::make_unique<cl::Buffer>(c, CL_MEM_READ_WRITE, n); // HIT: cl::Buffer is called in a loop
    auto v = std::make_unique<std::vector<float>>(n); // miss: memory of the host
    k.setArg(0, *b);
    q.enqueueNDRangeKernel(k, cl::NullRange, n, 64);
  }
}
void listed(cl::Context &c, cl::CommandQueue &q, cl::Kernel &k, cl::Buffer &there, size_t n) {
  std::vector<cl::Buffer> all;
  for (size_t i = 0; i < n; ++i) {
    all.emplace_back(c, CL_MEM_READ_WRITE, n); // HIT: cl::Buffer is called in a loop
    all.emplace_back(there); // miss: it is there
    q.enqueueNDRangeKernel(k, cl::NullRange, n, 64);
  }
}
