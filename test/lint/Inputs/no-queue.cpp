#include <CL/opencl.hpp>
#include "no/such/engine.h"
void run(cl::Program &program, cl::Buffer &data) {
  sph::Engine engine;
  cl::KernelFunctor<cl::Buffer, int> scale(program, "scale");
  scale(cl::EnqueueArgs(engine.queue, cl::NDRange(4096)), data, 1);
  scale(cl::EnqueueArgs(engine.queue, cl::NDRange(4096), cl::NDRange(64)), data, 1);
}
