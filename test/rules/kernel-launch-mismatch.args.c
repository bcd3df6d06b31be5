// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void two(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void wide(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void bits(__global float4 *x, float f) { x[get_global_id(0)] *= f; }\n"
    "__kernel void value(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void buffer(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void scratch(__global float *x, __local float *s) {\n"
    "  s[get_local_id(0)] = 1.0f; x[get_global_id(0)] = s[get_local_id(0)]; }\n"
    "__kernel void unset(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"
    "__kernel void right(__global float4 *x, int n, float f, __local float *s, long l, float3 v) {\n" // miss: all of them fit
    "  s[get_local_id(0)] = f + l + v.x; x[get_global_id(0)] *= n * s[get_local_id(0)]; }\n"
    "__kernel void same_size(__global float4 *x, uint n) { x[get_global_id(0)] *= n; }\n" // miss: int and uint
    "__kernel void unknown(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n" // miss: a size that is not known
    "__kernel void shown(__global float4 *x, int n) { x[get_global_id(0)] *= n; }\n"; // miss: other code receives the kernel

void more(cl_kernel k);

void run(cl_context c, cl_command_queue q, cl_mem m, size_t n, size_t bytes) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel two = clCreateKernel(p, "two", NULL);
  cl_kernel wide = clCreateKernel(p, "wide", NULL);
  cl_kernel bits = clCreateKernel(p, "bits", NULL);
  cl_kernel value = clCreateKernel(p, "value", NULL);
  cl_kernel buffer = clCreateKernel(p, "buffer", NULL);
  cl_kernel scratch = clCreateKernel(p, "scratch", NULL);
  cl_kernel unset = clCreateKernel(p, "unset", NULL);
  cl_kernel right = clCreateKernel(p, "right", NULL);
  cl_kernel same_size = clCreateKernel(p, "same_size", NULL);
  cl_kernel unknown = clCreateKernel(p, "unknown", NULL);
  cl_kernel shown = clCreateKernel(p, "shown", NULL);
  cl_int number = 4;
  cl_uint natural = 4;
  cl_float factor = 2.0f;
  cl_long large = 5;
  cl_float3 vector = {{0}};

  clSetKernelArg(two, 0, sizeof(cl_mem), &m);
  clSetKernelArg(two, 1, sizeof(cl_int), &number);
  clSetKernelArg(two, 2, sizeof(cl_int), &number); // HIT: argument 2 is set, and it has only 2
  clSetKernelArg(wide, 0, sizeof(cl_mem), &m);
  clSetKernelArg(wide, 1, sizeof(n), &n); // HIT: argument 1, 'n' takes 4 bytes (int), and is given 8 bytes
  clSetKernelArg(bits, 0, sizeof(m), &m);
  clSetKernelArg(bits, 1, sizeof(cl_int), &number); // HIT: argument 1, 'f' is a float, and is given 4 bytes of type cl_int
  clSetKernelArg(value, 0, sizeof(cl_int), &number); // HIT: argument 0, 'x' is a memory object, and is given 4 bytes of type cl_int
  clSetKernelArg(value, 1, sizeof(cl_int), (void *)&number);
  clSetKernelArg(buffer, 0, sizeof(cl_mem), &m);
  clSetKernelArg(buffer, 1, sizeof(cl_mem), &m); // HIT: argument 1, 'n' is passed by value, and is given a memory object
  clSetKernelArg(scratch, 0, sizeof(cl_mem), &m);
  clSetKernelArg(scratch, 1, sizeof(cl_mem), &m); // HIT: argument 1, 's' is local memory
  clSetKernelArg(unset, 0, sizeof(cl_mem), &m);

  clSetKernelArg(right, 0, sizeof(cl_mem), &m);
  clSetKernelArg(right, 1, sizeof(cl_int), &number);
  clSetKernelArg(right, 2, sizeof(cl_float), &factor);
  clSetKernelArg(right, 3, 256, NULL);
  clSetKernelArg(right, 4, sizeof(large), &large);
  clSetKernelArg(right, 5, sizeof(vector), &vector);
  clSetKernelArg(same_size, 0, sizeof(cl_mem), &m);
  clSetKernelArg(same_size, 1, sizeof natural, &natural);
  clSetKernelArg(unknown, 0, sizeof(cl_mem), &m);
  clSetKernelArg(unknown, 1, bytes, &number); // miss: the size is an argument of the host's
  clSetKernelArg(shown, 0, sizeof(cl_mem), &m);
  more(shown); // miss: it may set the other one

  clEnqueueNDRangeKernel(q, two, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, wide, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, bits, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, value, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, buffer, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, scratch, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, unset, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: argument 1, 'n' is never set
  clEnqueueNDRangeKernel(q, right, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, same_size, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, unknown, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, shown, 1, NULL, &n, NULL, 0, NULL, NULL);
  clReleaseKernel(unset); // miss: the API may have it
}
