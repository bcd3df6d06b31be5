#include "no/such/scaler.h"
#include <CL/opencl.hpp>
static const char *source = "kernel void scale(global float *x, float by, int n) { if (get_global_id(0) < n) x[get_global_id(0)] *= by; }";
Scaler::Scaler(cl::Context &context) {
  program_ = cl::Program(context, source, true);
  kernel_ = cl::Kernel(program_, "scale");
}
void Scaler::run(size_t n) {
  kernel_.setArg(0, buffer_);
  kernel_.setArg(1, .5);
  kernel_.setArg(2, 7);
  queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(n), cl::NDRange(64));
}
