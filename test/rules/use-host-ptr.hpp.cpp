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

// In a template no constructor is chosen yet.
template <typename T> void in_template(cl::Context &Context, std::vector<T> &Data) {
  cl::Buffer Over(Context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof(T) * Data.size(), Data.data()); // HIT: lies over
  cl::Buffer Own(Context, CL_MEM_READ_ONLY, sizeof(T) * Data.size(), nullptr); // miss: memory of the driver
  Over = cl::Buffer(Context, CL_MEM_USE_HOST_PTR, sizeof(T) * Data.size(), Data.data()); // HIT: lies over
}
