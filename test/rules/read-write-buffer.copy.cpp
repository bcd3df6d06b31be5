// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <algorithm>
#include <vector>
void in(cl::CommandQueue &q, std::vector<float> &v, cl::Buffer &b) {
  cl::copy(q, v.begin(), v.end(), b); // HIT: cl::copy copies between memories that are one, through a mapping
}
void host(std::vector<float> &v, std::vector<float> &w) {
  std::copy(v.begin(), v.end(), w.begin()); // miss: no buffer of OpenCL
}
