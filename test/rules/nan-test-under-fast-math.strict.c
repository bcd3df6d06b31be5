// RUN: clmali-lint --no-cache --checks=-*,nan-test-under-fast-math,missing-fast-math --device=mali --fail-on=error %s | FileCheck --allow-empty %s
// Options that keep NaN are no finding, and missing-fast-math does not advise the others.
// CHECK-NOT: {{.}}
#include <CL/cl.h>
static const char *source = "__kernel void clean(__global const float *in, __global float *out) {\n"
                            "  int i = get_global_id(0);\n"
                            "  float v = in[i];\n"
                            "  out[i] = isnan(v) ? 0.0f : v;\n"
                            "}\n";
cl_program make(cl_context c, cl_device_id d) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  clBuildProgram(p, 1, &d, "-cl-mad-enable -cl-no-signed-zeros", NULL, NULL);
  return p;
}
