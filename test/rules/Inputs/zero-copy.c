/* Adds two arrays on the device, in rows, and prints a checksum of each step. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cl_int status = (call);                                                                                            \
    if (status != CL_SUCCESS) {                                                                                        \
      fprintf(stderr, "%s: %d\n", #call, status);                                                                      \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static const char *source = "__kernel void add(__global const int *a, __global const int *b, __global int *c) {\n"
                            "  int i = get_global_id(0);\n"
                            "  c[i] = a[i] + 3 * b[i];\n"
                            "}\n";

/* A buffer of n integers. */
static cl_mem ints(cl_context context, size_t n) {
  cl_int error;
  cl_mem made = clCreateBuffer(context, 0, n * sizeof(cl_int), NULL, &error);
  return error == CL_SUCCESS ? made : NULL;
}
/* The caller keeps the pointer: it stays as it is. */
void given(cl_context c, cl_command_queue q, int *in, size_t n) {
  cl_mem over = clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, n, in, NULL);
  clEnqueueWriteBuffer(q, over, CL_TRUE, 0, n, in, 0, NULL, NULL);
}

/* Nobody knows who made the buffer. */
void unknown(cl_command_queue q, cl_mem b, int *in, size_t n) {
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, in, 0, NULL, NULL);
}

int main(void) {
  enum { N = 1000 };
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  cl_event written;
  cl_mem_flags flags = CL_MEM_WRITE_ONLY;
  int a[N], b[N], c[N], *d = (int *)malloc(N * sizeof(int));
  for (int i = 0; i < N; ++i) {
    a[i] = i * 7;
    b[i] = i % 13;
    d[i] = -i;
  }
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "add", &error);

  cl_mem x = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(a), NULL, &error);
  cl_mem y = ints(context, N);
  cl_mem z = clCreateBuffer(context, flags, sizeof(c), NULL, &error);
  cl_mem w = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, N * sizeof(int), d, &error);

  CHECK(clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, sizeof(a), a, 0, NULL, NULL));
  error = clEnqueueWriteBuffer(queue, y, CL_FALSE, 0, sizeof(b), b, 0, NULL, &written);
  if (error != CL_SUCCESS)
    return 1;
  CHECK(clSetKernelArg(kernel, 0, sizeof(x), &x));
  CHECK(clSetKernelArg(kernel, 1, sizeof(y), &y));
  CHECK(clSetKernelArg(kernel, 2, sizeof(z), &z));
  size_t global = N, local = 50;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 1, &written, NULL));
  if (clEnqueueReadBuffer(queue, z, CL_TRUE, 0, sizeof(c), c, 0, NULL, NULL) != CL_SUCCESS)
    return 1;
  long sum = 0;
  for (int i = 0; i < N; ++i)
    sum += (long)c[i] * (i + 1);
  printf("%ld\n", sum);

  /* A part of a buffer, in the middle of it. */
  CHECK(clEnqueueWriteBuffer(queue, x, CL_TRUE, 100 * sizeof(int), 50 * sizeof(int), b + 3, 0, NULL, NULL));
  CHECK(clSetKernelArg(kernel, 1, sizeof(w), &w));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, z, CL_TRUE, 90 * sizeof(int), 70 * sizeof(int), c, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, w, CL_TRUE, 0, N * sizeof(int), d, 0, NULL, NULL));
  sum = 0;
  for (int i = 0; i < 70; ++i)
    sum += (long)c[i] * (i + 1);
  printf("%ld\n", sum);
  clReleaseEvent(written);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseMemObject(z);
  clReleaseMemObject(w);
  free(d);
  return 0;
}
