// RUN: %{python} %{expect} %s
#include <CL/cl.h>
static const char *source =
    "__kernel void running(__global const float *in, __global uint *state, __global float *out) {\n"
    "  uint slot = state[0];\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = in[i] * state[1 + slot];\n"
    "}\n"
    "__kernel void count(__global uint *total) { total[get_global_id(0)] += 1; }\n"
    "__kernel void blend(__global float *mixed, float beta) {\n"
    "  float v = 1.0f;\n"
    "  if (beta != 0.0f) v += beta * mixed[get_global_id(0)];\n"
    "  mixed[get_global_id(0)] = v;\n"
    "}\n"
    "__kernel void clear(__global uint *total) {\n"
    "  total[get_global_id(0)] = 0;\n"
    "  total[get_global_id(0)] += get_global_id(0);\n"
    "}\n";
void keep(cl_mem b);
void run(cl_context c, cl_command_queue q, cl_mem in, cl_mem out, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "running", NULL);
  cl_mem state = clCreateBuffer(c, CL_MEM_READ_WRITE, 9 * sizeof(cl_uint), NULL, NULL); // HIT: 'state' is read before anything is written to it
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof state, &state);
  clSetKernelArg(k, 2, sizeof out, &out);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clReleaseMemObject(state);
}
void update(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "count", NULL);
  cl_int e = 0;
  cl_mem total;
  total = clCreateBuffer(c, CL_MEM_ALLOC_HOST_PTR, n * 4, NULL, &e); // HIT: 'total' is read before anything is written to it
  if (!total)
    return;
  e = clSetKernelArg(k, 0, sizeof(cl_mem), (void *)&total);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void filled(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "count", NULL);
  cl_uint zero = 0;
  cl_mem total = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, NULL); // miss: filled
  clEnqueueFillBuffer(q, total, &zero, sizeof zero, 0, n * 4, 0, NULL, NULL);
  clSetKernelArg(k, 0, sizeof total, &total);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void with_data(cl_context c, cl_command_queue q, void *data, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "count", NULL);
  cl_mem total = clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * 4, data, NULL); // miss: it has data
  clSetKernelArg(k, 0, sizeof total, &total);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void by_kernel(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "count", NULL), first = clCreateKernel(p, "clear", NULL);
  cl_mem total = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, NULL); // miss: another kernel has it, too
  clSetKernelArg(first, 0, sizeof total, &total);
  clEnqueueNDRangeKernel(q, first, 1, NULL, &n, NULL, 0, NULL, NULL);
  clSetKernelArg(k, 0, sizeof total, &total);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void by_function(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "count", NULL);
  cl_mem total = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, NULL); // miss: a function may write it
  keep(total);
  clSetKernelArg(k, 0, sizeof total, &total);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void written_first(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "clear", NULL);
  cl_mem total = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, NULL); // miss: the kernel writes first
  clSetKernelArg(k, 0, sizeof total, &total);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void by_argument(cl_context c, cl_command_queue q, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "blend", NULL);
  float beta = 0;
  cl_mem mixed = clCreateBuffer(c, CL_MEM_READ_WRITE, n * 4, NULL, NULL); // miss: an argument decides
  clSetKernelArg(k, 0, sizeof mixed, &mixed);
  clSetKernelArg(k, 1, sizeof beta, &beta);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
