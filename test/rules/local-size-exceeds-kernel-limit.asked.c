// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void tile(__global float *x, __local float *part, __local float *more) {\n" // HIT(mali-midgard,mali-bifrost,mali-valhall): a work-group takes 66560 bytes of local memory
    "  part[get_local_id(0)] = x[get_global_id(0)];\n"
    "  more[get_local_id(0)] = x[get_global_id(0) + 1];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  x[get_global_id(0)] = part[63 - get_local_id(0)] + more[0];\n"
    "}\n"
    "__kernel void heavy(__global float16 *data) {\n"
    "  int i = 16 * get_global_id(0);\n"
    "  float16 a = data[i], b = data[i + 1], c = data[i + 2], d = data[i + 3];\n"
    "  float16 e = data[i + 4], f = data[i + 5], g = data[i + 6], h = data[i + 7];\n"
    "  data[i] = a * b + c * d + e * f + g * h;\n"
    "  data[i + 1] = a * h + b * g + c * f + d * e;\n"
    "}\n";
void run(cl_context context, cl_command_queue queue, cl_device_id device, size_t n) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  cl_kernel tile = clCreateKernel(program, "tile", NULL), heavy = clCreateKernel(program, "heavy", NULL);
  size_t local = 64, large = 256, limit;
  clSetKernelArg(tile, 1, 65536, NULL);
  clSetKernelArg(tile, 2, 1024, NULL);
  clEnqueueNDRangeKernel(queue, tile, 1, NULL, &n, &local, 0, NULL, NULL);
  clGetKernelWorkGroupInfo(heavy, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL);
  if (limit >= large)
    clEnqueueNDRangeKernel(queue, heavy, 1, NULL, &n, &large, 0, NULL, NULL); // miss: the program asks for the limit
}
