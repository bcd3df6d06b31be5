// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source = "__kernel void clean(__global const float *in, __global float *out) {\n"
                            "  int i = get_global_id(0);\n"
                            "  float v = in[i];\n"
                            "  out[i] = isnan(v) ? 0.0f : v;\n" // HIT: 'isnan' may be folded: the program is built with -cl-finite-math-only
                            "  out[i + 1] = fmax(v, 0.0f);\n" // miss: no test
                            "}\n";
cl_program make(cl_context c, cl_device_id d) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  clBuildProgram(p, 1, &d, "-DN=4 -cl-finite-math-only", NULL, NULL);
  return p;
}
