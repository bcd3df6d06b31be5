#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>
#include <cstdio>
#include <string>

static std::string load(const char *name);

static int roundUp(int n, int to) {
  int rest = n % to;
  if (rest == 0)
    return n;
  return n + to - rest;
}

void run(cl::Context &context, cl::CommandQueue &queue, cl::Buffer &buffer, int seed) {
  const int tile = 16;
  std::string options = "-DTILE=" + std::to_string(tile) + " -DSEED=" + std::to_string(seed);
  cl::Program program(context, load("kernels/scale.cl"));
  program.build(options.c_str());
  cl::Kernel kernel(program, "scale");
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(roundUp(4090, tile)),
                             cl::NDRange(tile));
}
