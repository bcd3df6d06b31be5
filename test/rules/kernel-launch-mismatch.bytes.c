// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void low(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void meant(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void past(__global float4 *x, long n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void whole(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void first(__global float4 *x, int4 n) { x[get_global_id(0)] *= n.x; }\n";
void run(cl_context c, cl_command_queue q, cl_mem m, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel low = clCreateKernel(p, "low", NULL);
  cl_kernel meant = clCreateKernel(p, "meant", NULL);
  cl_kernel past = clCreateKernel(p, "past", NULL);
  cl_kernel whole = clCreateKernel(p, "whole", NULL);
  cl_kernel first = clCreateKernel(p, "first", NULL);
  cl_int number = 4, four[4] = {1, 2, 3, 4};
  clSetKernelArg(low, 0, sizeof(cl_mem), &m);
  clSetKernelArg(low, 1, sizeof(cl_int), &n); // HIT: is given 4 bytes of a variable of 8 (size_t)
  clSetKernelArg(meant, 0, sizeof(cl_mem), &m);
  clSetKernelArg(meant, 1, sizeof(cl_int), (cl_int *)&n); // miss: the cast shows that a part is meant
  clSetKernelArg(past, 0, sizeof(cl_mem), &m);
  clSetKernelArg(past, 1, sizeof(cl_long), &number); // HIT: is given 8 bytes of a variable of 4 (cl_int)
  clSetKernelArg(whole, 0, sizeof(cl_mem), &m);
  clSetKernelArg(whole, 1, sizeof(cl_int), &number); // miss: all of it
  clSetKernelArg(first, 0, sizeof(cl_mem), &m);
  clSetKernelArg(first, 1, sizeof(four), &four[0]); // miss: other elements follow it in memory
  clEnqueueNDRangeKernel(q, low, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, meant, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, past, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, whole, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, first, 1, NULL, &n, NULL, 0, NULL, NULL);
}
