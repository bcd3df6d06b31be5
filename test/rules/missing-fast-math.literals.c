// RUN: %{python} %{expect} %s
// One of its kernels is rounded through floating point.
#include <CL/cl.h>
static const char *source =
    "__kernel void count(__global const uint *in, __global uint *out) {\n"
    "  out[get_global_id(0)] = in[get_global_id(0)] * 1.5; \n" // miss: a kernel
    "}\n";
void build(cl_context c, cl_device_id d) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  clBuildProgram(p, 1, &d, NULL, NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
