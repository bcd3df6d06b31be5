// RUN: %{python} %{expect} %s
// Where the host makes a buffer for each pointer, nothing overlaps.
#include <CL/cl.h>
static const char *source =
    "__kernel void own(__global const float *in, __global float *out) {\n" // HIT: and 'in' is not restrict
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void swapped(__global const float *in, __global float *out) {\n" // HIT: and 'in' is not restrict
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void turns(__global const float *in, __global float *out) {\n" // miss: which buffer is set, and when, is not tracked
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void one(__global const float *in, __global float *out) {\n" // miss: both are one
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void over(__global const float *in, __global float *out) {\n" // miss: it lies over memory of the host's
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void given(__global const float *in, __global float *out) {\n" // miss: which buffer it is is unknown
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void changed(__global const float *in, __global float *out) {\n" // miss: it may be the other one by then
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void said(__global const float *in, __global float *restrict out) {\n" // miss: one of them is restrict
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void alone(__global float *out) {\n" // miss: there is no other
    "  out[get_global_id(0)] *= 2.0f;\n"
    "}\n"
    "__kernel void not_const(__global float *in, __global float *out) {\n" // HIT: 'in' is only read from, and not const
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)];\n"
    "}\n"
    "__kernel void nothing_read(__global float *a, __global float *b) {\n" // miss: no loaded value could be kept
    "  a[get_global_id(0)] = b[get_global_id(0)] = 1.0f;\n"
    "}\n";

static void launch(cl_command_queue q, cl_program p, const char *name, cl_mem in, cl_mem out) {
  size_t n = 1 << 20;
  cl_kernel k = clCreateKernel(p, name, NULL);
  clSetKernelArg(k, 0, sizeof(cl_mem), &in);
  clSetKernelArg(k, 1, sizeof(cl_mem), &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}

#define LAUNCH(NAME, A, B)                                                                                             \
  {                                                                                                                    \
    cl_kernel k = clCreateKernel(p, #NAME, NULL);                                                                      \
    clSetKernelArg(k, 0, sizeof(cl_mem), &A);                                                                          \
    clSetKernelArg(k, 1, sizeof(cl_mem), &B);                                                                          \
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);                                                    \
  }

void run(cl_context c, cl_command_queue q, float *host, int turns) {
  size_t n = 1 << 20;
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_mem a = clCreateBuffer(c, CL_MEM_READ_ONLY, n * 4, NULL, NULL);
  cl_mem b = clCreateBuffer(c, CL_MEM_WRITE_ONLY, n * 4, NULL, NULL);
  cl_mem h = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, host, NULL);
  cl_mem t = a;
  if (turns)
    t = b;
  LAUNCH(own, a, b)
  LAUNCH(swapped, a, b)
  LAUNCH(swapped, b, a)
  LAUNCH(one, a, a)
  LAUNCH(over, a, h)
  LAUNCH(changed, t, b)
  LAUNCH(said, a, b)
  LAUNCH(not_const, a, b)
  LAUNCH(nothing_read, a, b)
  launch(q, p, "given", a, b);
  cl_kernel turning = clCreateKernel(p, "turns", NULL);
  for (int i = 0; i < turns; ++i) {
    clSetKernelArg(turning, 0, sizeof(cl_mem), i % 2 ? &a : &b);
    clSetKernelArg(turning, 1, sizeof(cl_mem), i % 2 ? &b : &a);
    clEnqueueNDRangeKernel(q, turning, 1, NULL, &n, NULL, 0, NULL, NULL);
  }
  cl_kernel k = clCreateKernel(p, "alone", NULL);
  clSetKernelArg(k, 0, sizeof(cl_mem), &b);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
