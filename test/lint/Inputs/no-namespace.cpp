#include <CL/cl.h>
#include "no/such/hulls.h"
namespace Hulls {
Base *make() { return new Hulls(); }
bool Hulls::start(cl_program program, cl_command_queue queue) {
  for (int k = 0; k < count_; ++k)
    kernels_[k] = clCreateKernel(program, "volume", nullptr);
  for (int k = 0; k < count_; ++k)
    clFinish(queue);
  return true;
}
} // namespace Hulls
