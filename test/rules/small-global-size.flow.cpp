// RUN: %{python} %{expect} %s
#include <CL/opencl.hpp>
#include <cstdlib>
void vectors(cl::CommandQueue &q, cl::Kernel &k) {
  std::vector<float> few(100), many(100000);
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(few.size()), cl::NDRange(4));  // HIT: 100 work-items in all
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(many.size()), cl::NDRange(4)); // miss: 100000
}
size_t counted(const size_t *);
void dimensions(cl_command_queue q, cl_kernel k, cl_uint d) {
  const size_t one[] = {512}, two[] = {512, 512};
  clEnqueueNDRangeKernel(q, k, counted(one), nullptr, &one[0], nullptr, 0, nullptr, nullptr); // HIT: 512 work-items in all
  clEnqueueNDRangeKernel(q, k, d, nullptr, two, nullptr, 0, nullptr, nullptr); // miss: one dimension or two
}
void by_default(cl::CommandQueue &q, cl::Kernel &k, int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 512;
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(4));     // HIT: 512 work-items in all, by default
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n * 8), cl::NDRange(4)); // miss: 4096
}
