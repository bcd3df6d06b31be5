/* Two kernels of our own: the workload of the test, which needs no package. */
#include "first_device.h"

static const char *source = "__kernel void brighten(__global const uchar *a, __global uchar *b, int n) {\n"
                            "  int i = get_global_id(0);\n"
                            "  if (i < n)\n"
                            "    b[i] = a[i] / 2 + 64;\n"
                            "}\n"
                            "__kernel void count(__global const uchar *a, __global int *bins, int n) {\n"
                            "  int i = get_global_id(0);\n"
                            "  if (i < n && atomic_inc(&bins[a[i]]) == n)\n"
                            "    bins[0] = -1;\n"
                            "}\n";

int main(void) {
  cl_int error, n = 40000;
  cl_device_id device = firstDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel brighten = clCreateKernel(program, "brighten", &error), count = clCreateKernel(program, "count", &error);
  check(error, "kernel");
  unsigned char *bytes = malloc(n);
  for (int i = 0; i < n; ++i)
    bytes[i] = (unsigned char)(i * 31);
  cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n, bytes, &error);
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, n, NULL, &error);
  int bins[256] = {0};
  cl_mem c = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof bins, bins, &error);
  check(error, "buffer");
  clSetKernelArg(brighten, 0, sizeof a, &a);
  clSetKernelArg(brighten, 1, sizeof b, &b);
  clSetKernelArg(brighten, 2, sizeof n, &n);
  clSetKernelArg(count, 0, sizeof b, &b);
  clSetKernelArg(count, 1, sizeof c, &c);
  clSetKernelArg(count, 2, sizeof n, &n);
  size_t global = 40064, local = 64;
  for (int i = 0; i < 3; ++i)
    check(clEnqueueNDRangeKernel(queue, brighten, 1, NULL, &global, &local, 0, NULL, NULL), "brighten");
  check(clEnqueueNDRangeKernel(queue, count, 1, NULL, &global, &local, 0, NULL, NULL), "count");
  check(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, sizeof bins, bins, 0, NULL, NULL), "read");
  printf("%d %d %d\n", bins[64], bins[100], bins[191]);
  return 0;
}
