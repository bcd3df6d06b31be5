// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstring>
void upload(cl::CommandQueue q, cl::Image2D img, const unsigned char *pixels, size_t w, size_t h) {
  cl::array<size_t, 3> at{0, 0, 0}, size{w, h, 1};
  size_t pitch = 0;
  void *to = q.enqueueMapImage(img, CL_TRUE, CL_MAP_WRITE, at, size, &pitch, nullptr); // HIT: the row pitch that enqueueMapImage returns is not used
  memcpy(to, pixels, w * h * 4);
  q.enqueueUnmapMemObject(img, to);
}
void by_rows(cl::CommandQueue q, cl::Image2D img, const unsigned char *pixels, size_t w, size_t h) {
  cl::array<size_t, 3> at{0, 0, 0}, size{w, h, 1};
  size_t pitch = 0;
  auto *to = static_cast<char *>(q.enqueueMapImage(img, CL_TRUE, CL_MAP_WRITE, at, size, &pitch, nullptr)); // miss: rows begin at the pitch
  for (size_t y = 0; y < h; ++y, to += pitch)
    memcpy(to, pixels + y * w * 4, w * 4);
}
