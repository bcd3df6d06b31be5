#include "gpu.h"
static size_t n = 4096;
void blur(cl_command_queue queue, cl_kernel kernel) {
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(queue);
}
void once(cl_command_queue queue) { clFinish(queue); }
void bench(int size) {
  cl_context context = clCreateContext(NULL, 1, NULL, NULL, NULL, NULL);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL);
  clReleaseMemObject(buffer);
}
void prepare(cl_context context, cl_mem *to) { *to = clCreateBuffer(context, CL_MEM_READ_WRITE, n, NULL, NULL); }
static void inner(cl_command_queue queue) { clFinish(queue); }
void twice(cl_command_queue queue) { inner(queue); }
void same(cl_command_queue queue) { clFinish(queue); }
cl_program build(cl_context context, const char *file) {
  return clCreateProgramWithSource(context, 1, &file, NULL, NULL);
}
