// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <string.h>
static const char *source =
    "__kernel void scale(__global const float *in, __global float *out, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) out[i] = 2.0f * in[i];\n"
    "}\n";
float print(const float *values, size_t n);
static float total(float *values, size_t n) {
  float sum = 0.0f;
  for (size_t i = 0; i < n; ++i)
    sum += values[i];
  return sum;
}

float finished(cl_context c, cl_command_queue q, cl_kernel ignored, cl_mem in, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q);
  return data[3]; // HIT: the host reads the memory under 'out' without a map
}
float passed_on(cl_context c, cl_command_queue q, cl_mem in, size_t n) {
  static float data[4096];
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, sizeof data, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q);
  return total(data, n); // HIT: the host reads the memory under 'out' without a map
}
float to_another_file(cl_context c, cl_command_queue q, cl_mem in, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q);
  return print(data, n); // HIT: the host reads the memory under 'out' without a map
}
void filled(cl_context c, cl_command_queue q, cl_mem out, float *data, size_t n, int frames) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem in = clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  for (int f = 0; f < frames; ++f) {
    memset(data, f, n * 4); // HIT: the host writes the memory under 'in' without a map
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  }
}
float mapped(cl_context c, cl_command_queue q, cl_mem in, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  float *at = clEnqueueMapBuffer(q, out, CL_TRUE, CL_MAP_READ, 0, n * 4, 0, NULL, NULL, NULL);
  float result = data[3]; // miss: mapped
  clEnqueueUnmapMemObject(q, out, at, 0, NULL, NULL);
  return result;
}
float other_is_mapped(cl_context c, cl_command_queue q, float *first, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem in = clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, n * 4, first, NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  void *at = clEnqueueMapBuffer(q, in, CL_TRUE, CL_MAP_READ, 0, n * 4, 0, NULL, NULL, NULL);
  clEnqueueUnmapMemObject(q, in, at, 0, NULL, NULL);
  return data[3]; // HIT: the host reads the memory under 'out' without a map
}
float transferred(cl_context c, cl_command_queue q, cl_mem in, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(q, out, CL_TRUE, 0, n * 4, data, 0, NULL, NULL);
  return data[3]; // miss: read from the buffer
}
float other_memory(cl_context c, cl_command_queue q, cl_mem in, float *data, float *copy, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(q, out, CL_TRUE, 0, n * 4, copy, 0, NULL, NULL);
  return copy[3]; // miss: other memory
}
float input(cl_context c, cl_command_queue q, cl_mem out, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  data[0] = 1.0f; // miss: before the buffer is made
  cl_mem in = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q);
  return data[3]; // miss: the kernel does not write it
}
float copied(cl_context c, cl_command_queue q, cl_mem in, float *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  return data[3]; // miss: the buffer has memory of its own
}
float either(cl_context c, cl_command_queue q, cl_mem in, float *data, size_t n, int gpu) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "scale", NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, n * 4, data, NULL);
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof out, &out);
  if (gpu)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  else
    return data[3]; // miss: without a launch
  return 0.0f;
}
