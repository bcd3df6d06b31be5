// RUN: %{python} %{expect} %s
// What the host gives to local arguments counts.
#include <CL/cl.h>
static const char *source =
    "__kernel void large(__global float *out, __local float *tile) {\n" // HIT: a work-group takes 10240 bytes of local memory: 1 group fits
    "  tile[get_local_id(0)] = 1.0f; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = tile[0];\n"
    "}\n"
    "__kernel void both(__global float *out, __local uchar *more) {\n" // HIT: a work-group takes 10240 bytes of local memory
    "  __local float tile[512]; more[get_local_id(0)] = 1; tile[get_local_id(0)] = 1.0f;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = tile[0] + more[0];\n"
    "}\n"
    "__kernel void little(__global float *out, __local float *tile) {\n" // miss: 256 bytes
    "  tile[get_local_id(0)] = 1.0f; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = tile[0];\n"
    "}\n"
    "__kernel void asked(__global float *out, __local float *tile) {\n" // miss: the program queries the size
    "  tile[get_local_id(0)] = 1.0f; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = tile[0];\n"
    "}\n";

void run(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem out, size_t n) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  cl_kernel large = clCreateKernel(program, "large", NULL), both = clCreateKernel(program, "both", NULL);
  cl_kernel little = clCreateKernel(program, "little", NULL), asked = clCreateKernel(program, "asked", NULL);
  size_t local = 64;
  clSetKernelArg(large, 0, sizeof(cl_mem), &out);
  clSetKernelArg(large, 1, 40 * local * sizeof(cl_float), NULL);
  clEnqueueNDRangeKernel(queue, large, 1, NULL, &n, &local, 0, NULL, NULL);
  clSetKernelArg(both, 0, sizeof(cl_mem), &out);
  clSetKernelArg(both, 1, 2048, NULL);
  clEnqueueNDRangeKernel(queue, both, 1, NULL, &n, &local, 0, NULL, NULL);
  clSetKernelArg(little, 0, sizeof(cl_mem), &out);
  clSetKernelArg(little, 1, local * sizeof(cl_float), NULL);
  clEnqueueNDRangeKernel(queue, little, 1, NULL, &n, &local, 0, NULL, NULL);
  clSetKernelArg(asked, 0, sizeof(cl_mem), &out);
  clSetKernelArg(asked, 1, n * sizeof(cl_float), NULL);
  clEnqueueNDRangeKernel(queue, asked, 1, NULL, &n, &local, 0, NULL, NULL);
}
