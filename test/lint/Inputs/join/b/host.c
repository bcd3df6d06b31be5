#include <CL/cl.h>
#include <stdio.h>
const char *load(const char *name);

void run(cl_context context, cl_command_queue queue, cl_mem buffer, cl_device_id device) {
  const char *source = load("kernels/scale.cl");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  char options[64];
  sprintf(options, "-D TILE=%d", 8);
  clBuildProgram(program, 1, &device, options, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer);
  size_t global[2], local[2];
  global[0] = 1024;
  global[1] = 64;
  local[0] = 8;
  local[1] = 4;
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
}
