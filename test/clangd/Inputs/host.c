#include <CL/cl.h>

static const char *Source =
    "__kernel void scale(__global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  x[i] = x[i] * 2.0;\n"
    "  x[i / n] = 0; /* NOLINT */\n"
    "}\n";

cl_mem share(cl_context c, float *data, size_t n) {
  cl_mem m = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * sizeof(float), data, NULL);
  cl_program p = clCreateProgramWithSource(c, 1, &Source, NULL, NULL);
  clBuildProgram(p, 0, NULL, "-cl-fast-relaxed-math", NULL, NULL);
  return m;
}
