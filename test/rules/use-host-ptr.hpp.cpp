// RUN: %{python} %{expect} %s --no-balance
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>
#include <vector>

cl::Buffer make(cl::Context &Context, std::vector<float> &Data) {
  return cl::Buffer(Context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, 4 * Data.size(), Data.data()); // HIT: lies over
}

cl::Buffer good(cl::Context &Context, std::vector<float> &Data) {
  return cl::Buffer(Context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, 4 * Data.size()); // miss: memory of the driver
}
