#include <CL/cl.h>
static const char *source =
    "__kernel void sum(__global const float4 *in, __global float4 *out) {\n"
    "  out[get_global_id(0)] += in[get_global_id(0)];\n"
    "}\n";
void run(cl_context context, cl_command_queue queue, cl_device_id device, size_t n) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, "-cl-mad-enable", NULL, NULL);
  cl_kernel k = clCreateKernel(program, "sum", NULL); size_t cube[3] = {14, 1, 32}, all[3] = {112, 14, 128};
  clEnqueueNDRangeKernel(queue, k, 3, NULL, all, cube, 0, NULL, NULL);

  size_t large = 2048;
  clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, &large, 0, NULL, NULL);

  size_t local = 64, global = 1000;
  clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);

  size_t thousand = 1024;
  clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, &thousand, 0, NULL, NULL);
}
