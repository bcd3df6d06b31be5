#include "tracer.h"
#include <CL/cl.h>
void Tracer::run(int n) {
  NDRange size(n);
  queue.enqueueNDRangeKernel(*kernel, NullRange, size, NullRange);
}
