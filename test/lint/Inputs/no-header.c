#include <stdio.h>
#include "oclUtils.h"

static shr_context_t Shared;
int main(int argc, const char **argv) {
  cl_kernel kernel = clCreateKernel(shrProgram(&Shared), "scale", NULL);
  size_t global = 65536;
  unknown_type u = shrStart(argc, argv);
  for (int i = 0; i < 10; ++i)
      clFinish(Shared.queue);
  oclCheckError(clFinish(queue_of(u)), CL_SUCCESS);
  cl_command_queue q = queue_of(u);
  clEnqueueNDRangeKernel(q, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
