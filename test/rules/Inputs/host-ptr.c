#include <CL/cl.h>
#include <stdlib.h>
float through_the_api(cl_context c, cl_command_queue q, cl_kernel k, size_t n) {
  float *in = (float *)malloc(n * sizeof(float)), result;
  for (size_t i = 0; i < n; ++i)
    in[i] = i;
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n * sizeof(float), in, NULL);
  clSetKernelArg(k, 0, sizeof(b), &b);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n * sizeof(float), in, 0, NULL, NULL);
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, sizeof(float), &result, 0, NULL, NULL);
  free(in);
  return result;
}
float read_directly(cl_context c, cl_command_queue q, cl_kernel k, size_t n) {
  float *in = (float *)calloc(n, sizeof(float));
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n * sizeof(float), in, NULL);
  clSetKernelArg(k, 0, sizeof(b), &b);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q);
  return in[0]; /* through the pointer: the buffer must lie there */
}
cl_mem given(cl_context c, float *in, size_t n) {
  return clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * sizeof(float), in, NULL); /* the caller has it, too */
}
float *aliased(cl_context c, size_t n, cl_mem *b) {
  float *in = (float *)calloc(n, sizeof(float));
  float *same = in;
  *b = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * sizeof(float), in, NULL); /* by another name */
  return same;
}
