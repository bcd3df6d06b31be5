/* SGEMM, SGEMV, SAXPY, SDOT and a transposition of CLBlast at small sizes. */
#include "first_device.h"
#include <clblast_c.h>

enum { N = 192, BIG = 1 << 16 };

static cl_mem filled(cl_context context, int count, int step) {
  float *values = malloc(count * sizeof(float));
  for (int i = 0; i < count; ++i)
    values[i] = (float)(i * step % 17) / 4;
  cl_int error;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(float), values, &error);
  check(error, "buffer");
  free(values);
  return m;
}

static void printSum(cl_command_queue queue, const char *name, cl_mem m, int count) {
  float *values = malloc(count * sizeof(float));
  check(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, count * sizeof(float), values, 0, NULL, NULL), "read");
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i];
  printf("%s %.6e\n", name, sum);
  free(values);
}

int main(void) {
  cl_int error;
  cl_device_id device = firstDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_mem a = filled(context, N * N, 3), b = filled(context, N * N, 5), c = filled(context, N * N, 7);
  cl_mem x = filled(context, BIG, 3), y = filled(context, BIG, 5), sum = filled(context, 1, 1);
  for (int i = 0; i < 2; ++i)
    check(CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeYes, N, N, N, 1.0f, a, 0, N, b, 0, N, 0.5f, c, 0, N,
                       &queue, NULL), "sgemm");
  printSum(queue, "sgemm", c, N * N);
  check(CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, N, N, 1.0f, a, 0, N, x, 0, 1, 0.0f, y, 0, 1, &queue, NULL), "sgemv");
  printSum(queue, "sgemv", y, N);
  check(CLBlastSaxpy(BIG, 2.0f, x, 0, 1, y, 0, 1, &queue, NULL), "saxpy");
  printSum(queue, "saxpy", y, BIG);
  check(CLBlastSdot(BIG, sum, 0, x, 0, 1, y, 0, 1, &queue, NULL), "sdot");
  printSum(queue, "sdot", sum, 1);
  check(CLBlastSomatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, N, N, 1.0f, a, 0, N, b, 0, N, &queue, NULL), "transposition");
  printSum(queue, "transposition", b, N * N);
  return 0;
}
