// RUN: %{python} %{expect} %s
// What the host launches along a dimension of which the kernel makes no use, does the same again.
#include <CL/cl.h>
static const char *source =
    "__kernel void rows(__global float *x, __global const float *y) {\n" // miss: no access
    "  int i = get_global_id(0), unused = get_global_id(1);\n"
    "  x[i] = 2.0f * y[i];\n" // HIT: 3 work-items write the same value to one element of 'x'
    "}\n"
    "__kernel void cells(__global float *x, __global const float *y, int w) {\n"
    "  int i = get_global_id(0), j = get_global_id(1);\n"
    "  x[j * w + i] = 2.0f * y[i];\n" // miss: it is made use of
    "}\n"
    "__kernel void line(__global float *x, __global const float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  x[i] = 2.0f * y[i];\n" // miss: the host launches one row
    "}\n";

void run(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel rows = clCreateKernel(p, "rows", NULL);
  cl_kernel cells = clCreateKernel(p, "cells", NULL);
  cl_kernel line = clCreateKernel(p, "line", NULL);
  size_t three[2] = {n, 3}, one[2] = {n, 1};
  clEnqueueNDRangeKernel(q, rows, 2, NULL, three, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, cells, 2, NULL, three, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, line, 2, NULL, one, NULL, 0, NULL, NULL);
}
