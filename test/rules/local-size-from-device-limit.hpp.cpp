// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <algorithm>
void of_device(cl::CommandQueue q, cl::Kernel k, cl::Device d, size_t n) {
  size_t local = d.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(local)); // HIT: CL_DEVICE_MAX_WORK_GROUP_SIZE as its local size
}
void item_sizes(cl::CommandQueue q, cl::Kernel k, cl::Device d, size_t n) {
  auto sizes = d.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  cl::NDRange local(std::min<size_t>(sizes[0], n));
  q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), local); // HIT: CL_DEVICE_MAX_WORK_ITEM_SIZES as its local size
}
class Runner {
  cl::Device device;
  cl::CommandQueue queue;
  size_t most;

public:
  Runner(cl::Device d) : device(d), queue(), most(d.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()) {}
  void run(cl::Kernel k, size_t n) {
    queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(most)); // HIT: CL_DEVICE_MAX_WORK_GROUP_SIZE as its local size
  }
  void by_kernel(cl::Kernel k, size_t n) {
    size_t local = std::min(most, k.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
    queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(local)); // miss: the kernel's limit bounds it
  }
  void few(cl::Kernel k, size_t n) {
    size_t local = std::min<size_t>(most, 32);
    queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(local)); // miss: at most 32
  }
  void null(cl::Kernel k, size_t n) {
    queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n)); // miss: the runtime chooses
  }
};
