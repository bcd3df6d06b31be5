#include <CL/cl.h>

static const char *source =
    "__kernel void scale(__global float *x, float k) {\n"
    "  size_t i = get_global_id(0);\n" /* a comment */
    "  x[i] = k *\t\t\tx[i];\n"
    "}\n";

static const char *two =
    "__kernel void "
  "half_of(__global float4 *x) { x[get_global_id(0)] *= 0.5f; }";

void run(cl_context c, cl_device_id d, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  clBuildProgram(p, 1, &d, "-DFACTOR=2", NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  size_t local[1] = {64};
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, local, 0, NULL, NULL);
  (void)two;
}
