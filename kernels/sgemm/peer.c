/* Times CLBlast's single-precision product of square matrices on the first OpenCL device, in milliseconds: the best of RUNS.
 * usage: peer ORDER RUNS. Built by tools/systems.py where CLBlast is installed. */
#define _POSIX_C_SOURCE 199309L
#include <clblast_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? (size_t)atol(argv[1]) : 64;
  int runs = argc > 2 ? atoi(argv[2]) : 3;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  float *data = (float *)malloc(n * n * sizeof(float));
  for (size_t i = 0; i < n * n; ++i)
    data[i] = (float)(i % 17) * 0.1f - 0.8f;
  cl_mem m[3];
  for (int k = 0; k < 3; ++k)
    m[k] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * n * sizeof(float), data, &error);
  double best = 1e30;
  for (int run = -1; run < runs; ++run) { /* the first one builds the kernels */
    cl_event done = NULL;
    double start = now();
    if (CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1.25f, m[0], 0, n, m[1], 0, n,
                     0.1f, m[2], 0, n, &queue, &done) != CLBlastSuccess)
      return 1;
    clWaitForEvents(1, &done);
    double took = now() - start;
    clReleaseEvent(done);
    if (run >= 0 && took < best)
      best = took;
  }
  printf("%.6f\n", best);
  free(data);
  return 0;
}
