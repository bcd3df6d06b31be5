#include "sometimes.h"
#include <vector>
void run(cl::CommandQueue &queue, std::vector<cl::Kernel> &kernels) {
  for (cl::Kernel &kernel : kernels) {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(4096), cl::NDRange(64));
    queue.finish();
  }
}
