// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void heavy(__global const float *in, __global float *out, int w) {\n"
    "  int i = get_global_id(0);\n"
    "  float4 acc[8], c[16];\n"
    "  for (int k = 0; k < 8; ++k) acc[k] = vload4(i * 8 + k, in);\n"
    "  for (int k = 0; k < 16; ++k) c[k] = vload4(w + k, in);\n"
    "  for (int r = 0; r < 4; ++r)\n"
    "    for (int k = 0; k < 8; ++k) acc[k] = acc[k] * c[(k + r) & 15] + c[(k + 2 * r) & 15];\n"
    "  for (int k = 0; k < 8; ++k) vstore4(acc[k], i * 8 + k, out);\n"
    "}\n"
    "__kernel void light(__global float4 *out) { out[get_global_id(0)] *= 2.0f; }\n";
void run(cl_context context, cl_command_queue queue, size_t n) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  cl_kernel heavy = clCreateKernel(program, "heavy", NULL), light = clCreateKernel(program, "light", NULL);
  size_t large = 256, small = 32, square[2] = {16, 16};
  clEnqueueNDRangeKernel(queue, heavy, 1, NULL, &n, &large, 0, NULL, NULL); // HIT(mali-midgard,mali-bifrost): it is launched in groups of 256 work-items
  clEnqueueNDRangeKernel(queue, heavy, 1, NULL, &n, &small, 0, NULL, NULL); // miss: 32 work-items
  clEnqueueNDRangeKernel(queue, light, 2, NULL, &n, square, 0, NULL, NULL); // miss: few registers
}
