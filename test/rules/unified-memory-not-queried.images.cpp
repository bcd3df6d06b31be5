// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
void copied(cl::CommandQueue &q, cl::Image2D &a, cl::Image2D &b, cl::array<cl::size_type, 3> region) {
  q.enqueueCopyImage(a, b, {0, 0, 0}, {0, 0, 0}, region); // miss: on the device
}
void shown(cl::CommandQueue &q, cl::Image2D &image, cl::array<cl::size_type, 3> region, void *to) {
  q.enqueueReadImage(image, CL_TRUE, {0, 0, 0}, region, 0, 0, to); // HIT: is never asked for
}
