#include <CL/cl.h>
void run(cl_program program, cl_command_queue queue, cl_mem data, size_t n) {
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  clSetKernelArg(kernel, 0, sizeof(data), &data);
  clSetKernelArg(kernel, 1, sizeof(n), &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
}
