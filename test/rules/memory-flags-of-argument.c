// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void add(__global const float4 *in, __global float4 *sum, __global float4 *out) {\n"
    "  int i = get_global_id(0);\n"
    "  sum[i] += in[i];\n"
    "  out[i] = sum[i] * 2.0f;\n"
    "}\n";
void run(cl_context context, cl_command_queue queue, size_t n) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  cl_kernel add = clCreateKernel(program, "add", NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, n * 16, NULL, NULL); // miss: only read
  cl_mem sum = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n * 16, NULL, NULL); // HIT: it reads 'sum', whose buffer is made with CL_MEM_WRITE_ONLY
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, n * 16, NULL, NULL); // HIT: it stores to 'out', whose buffer is made with CL_MEM_READ_ONLY
  clSetKernelArg(add, 0, sizeof in, &in);
  clSetKernelArg(add, 1, sizeof sum, &sum);
  clSetKernelArg(add, 2, sizeof out, &out);
  clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void fine(cl_context context, cl_command_queue queue, size_t n) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  cl_kernel add = clCreateKernel(program, "add", NULL);
  cl_mem sum = clCreateBuffer(context, CL_MEM_READ_WRITE, n * 16, NULL, NULL); // miss: read and written
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n * 16, NULL, NULL); // miss: only written
  clSetKernelArg(add, 1, sizeof sum, &sum);
  clSetKernelArg(add, 2, sizeof out, &out);
  clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, NULL, 0, NULL, NULL);
}
