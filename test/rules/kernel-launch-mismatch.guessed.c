// RUN: %{python} %{expect} %s
// A macro with a type in its name that is only compared is a number; the kernel is still parsed.
#include <CL/cl.h>
static const char *source =
    "__kernel void activate(__global float *x, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (ACT_TYPE == 1)\n"
    "    x[i] = fmax(x[i], 0.0f);\n"
    "  else if (ACT_TYPE == 2 && i < n)\n"
    "    x[i] = 0.0f;\n"
    "}\n";
static const char *typed =
    "__kernel void fill(__global DATA_TYPE *x, DATA_TYPE v) { x[get_global_id(0)] = v; }\n";
void run(cl_context c, cl_command_queue q, cl_mem x, size_t n, double wide) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  clBuildProgram(p, 0, NULL, "-cl-fast-relaxed-math", NULL, NULL);
  cl_kernel k = clCreateKernel(p, "activate", NULL);
  clSetKernelArg(k, 0, sizeof(cl_mem), &x);
  clSetKernelArg(k, 1, sizeof(double), &wide); // HIT: argument 1, 'n' takes 4 bytes (int)
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void declares(cl_context c, cl_command_queue q, cl_mem x, size_t n, double wide) {
  cl_program p = clCreateProgramWithSource(c, 1, &typed, NULL, NULL);
  clBuildProgram(p, 0, NULL, "-cl-fast-relaxed-math", NULL, NULL);
  cl_kernel k = clCreateKernel(p, "fill", NULL);
  clSetKernelArg(k, 0, sizeof(cl_mem), &x);
  clSetKernelArg(k, 1, sizeof(double), &wide); // miss: the host determines the type
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
