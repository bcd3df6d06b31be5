#include "no/such/opencl-helper.hpp"
Context context;
CommandQueue queue;
Kernel scale;
void run(int n) {
  queue.enqueueNDRangeKernel(scale, NullRange, NDRange(n), NullRange);
}
