#include "no/such/build.h"
#include <CL/cl.h>
cl_kernel setUp(cl_context context, cl_device_id device, const char *text, cl_program *program, cl_mem *from, cl_mem *to) {
  *program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(*program, 1, &device, NULL, NULL, NULL);
  *from = clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, NULL);
  *to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 4096, NULL, NULL);
  return clCreateKernel(*program, "scale", NULL);
}
#ifdef ON_GPU
#include <launch.h>
void run(cl_command_queue queue, cl_kernel kernel) {
  launch(queue, kernel, 1);
  size_t few = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &few, NULL, 0, NULL, NULL);
}
#endif
