// RUN: %{python} %{expect} %s --no-balance
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>

void launch(cl::CommandQueue &Queue, cl::Kernel &Kernel) {
  Queue.enqueueNDRangeKernel(Kernel, cl::NullRange, cl::NDRange(1009, 4), cl::NullRange); // HIT: 1009 work-items
  Queue.enqueueNDRangeKernel(Kernel, cl::NullRange, cl::NDRange(1024, 4), cl::NullRange); // miss: 1024
}
