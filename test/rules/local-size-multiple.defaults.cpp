// RUN: %{python} %{expect} %s
// Sizes that are arguments with a default.
#include <CL/opencl.hpp>
class Product {
public:
  explicit Product(cl::Kernel kernel, size_t block = 12) : kernel(kernel), block(block) {}
  void run(cl::CommandQueue &queue, size_t n) {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n * block), cl::NDRange(block)); // HIT(powervr-rogue): in groups of 12 work-items, by default: no multiple of 32
  }

private:
  cl::Kernel kernel;
  size_t block;
};
class Given {
public:
  explicit Given(cl::Kernel kernel, size_t block = 12) : kernel(kernel), block(block) {}
  void run(cl::CommandQueue &queue, size_t n) {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n * block), cl::NDRange(block)); // miss: a caller may pass it
  }

private:
  cl::Kernel kernel;
  size_t block;
};
Given make(cl::Kernel kernel, size_t n) { return Given(kernel, n); }
void scale(cl::CommandQueue &queue, cl::Kernel &kernel, size_t n, size_t group = 6) {
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n * group), cl::NDRange(group)); // HIT: in groups of 6 work-items, by default
}
void shift(cl::CommandQueue &queue, cl::Kernel &kernel, size_t n, size_t group = 64) {
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n * group), cl::NDRange(group)); // miss: a good one
}
void changed(cl::CommandQueue &queue, cl::Kernel &kernel, size_t n, size_t group = 6) {
  group = n;
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n * group), cl::NDRange(group)); // miss: another value by then
}
