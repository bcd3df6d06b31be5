/* Transforms of clFFT: one and two dimensions, complex, forward. */
#include "first_device.h"
#include <clFFT.h>
#include <math.h>

static void transform(cl_context context, cl_command_queue queue, clfftDim dimensions, size_t *lengths) {
  const size_t count = lengths[0] * (dimensions == CLFFT_2D ? lengths[1] : 1);
  float *values = malloc(2 * count * sizeof(float));
  for (size_t i = 0; i < 2 * count; ++i)
    values[i] = (float)(i % 13) / 13;
  cl_int error;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 2 * count * sizeof(float), values, &error);
  check(error, "buffer");
  clfftPlanHandle plan;
  check(clfftCreateDefaultPlan(&plan, context, dimensions, lengths), "plan");
  check(clfftSetPlanPrecision(plan, CLFFT_SINGLE), "precision");
  check(clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED), "layout");
  check(clfftSetResultLocation(plan, CLFFT_INPLACE), "place");
  check(clfftBakePlan(plan, 1, &queue, NULL, NULL), "bake");
  check(clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &queue, 0, NULL, NULL, &m, NULL, NULL), "transform");
  check(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 2 * count * sizeof(float), values, 0, NULL, NULL), "read");
  double sum = 0;
  for (size_t i = 0; i < 2 * count; ++i)
    sum += fabs(values[i]);
  printf("%zu of %d: %.4e\n", count, dimensions, sum);
  clfftDestroyPlan(&plan);
  clReleaseMemObject(m);
  free(values);
}

int main(void) {
  cl_int error;
  cl_device_id device = firstDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  clfftSetupData setup;
  check(clfftInitSetupData(&setup), "setup");
  check(clfftSetup(&setup), "setup");
  size_t line[] = {4096}, plane[] = {128, 96};
  transform(context, queue, CLFFT_1D, line);
  transform(context, queue, CLFFT_2D, plane);
  clfftTeardown();
  return 0;
}
