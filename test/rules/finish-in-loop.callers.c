// RUN: %{python} %{expect} %s
#include <CL/cl.h>
#include <stdlib.h>
#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != CL_SUCCESS)                                                                      \
      abort();                                                                                     \
  } while (0)

static void step(cl_command_queue q, cl_kernel k, size_t n) {
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL));
  CHECK(clFinish(q)); // HIT: clFinish waits in 'step', which is called in a loop
}
static void once(cl_command_queue q, cl_kernel k, size_t n) {
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL));
  CHECK(clFinish(q)); // miss: called once; the macro's do .. while (0) is no loop
}
static int on_device(cl_platform_id p, cl_device_id d) {
  cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
  cl_command_queue q = clCreateCommandQueueWithProperties(c, d, NULL, NULL);
  clFinish(q); // miss: each iteration is another device, set up from the start
  return p != NULL;
}
static void with_queue(cl_context c, cl_device_id d, cl_kernel k, size_t n) {
  cl_command_queue q = clCreateCommandQueueWithProperties(c, d, NULL, NULL);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q); // HIT: clFinish waits in 'with_queue', which is called in a loop
}
static void for_device(cl_context c, cl_device_id d, cl_kernel k, size_t n) {
  cl_command_queue q = clCreateCommandQueueWithProperties(c, d, NULL, NULL);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q); // miss: each iteration is another device
}
void planes(cl_context c, cl_device_id *all, int n, cl_kernel k, int frames) {
  for (int i = 0; i < frames; ++i)
    with_queue(c, *all, k, 4096);
  for (int i = 0; i < n; ++i)
    for_device(c, all[i], k, 4096);
}
void run(cl_command_queue q, cl_kernel k, cl_platform_id p, cl_device_id *devices, int n) {
  for (int i = 0; i < n; ++i)
    step(q, k, 4096);
  once(q, k, 4096);
  for (int i = 0; i < n; ++i)
    on_device(p, devices[i]);
}

void queues(cl_command_queue *q, cl_kernel k, size_t n, int count) {
  for (int i = 0; i < count; ++i)
    clEnqueueNDRangeKernel(q[i], k, 1, NULL, &n, NULL, 0, NULL, NULL);
  for (int i = 0; i < count; ++i)
    clFinish(q[i]); // miss: one wait for each queue, nothing is queued between
}
void in_turn(cl_command_queue *q, cl_kernel k, size_t n, int count) {
  for (int i = 0; i < count; ++i) {
    clEnqueueNDRangeKernel(q[i], k, 1, NULL, &n, NULL, 0, NULL, NULL);
    clFinish(q[i]); // HIT: clFinish waits in a loop
  }
}
void flags(cl_command_queue q, cl_mem b, void *p, int n) {
  for (int i = 0; i < n; ++i)
    clEnqueueReadBuffer(q, b, 1, 0, 64, p, 0, NULL, NULL); // HIT: clEnqueueReadBuffer blocks in a loop
  for (int i = 0; i < n; ++i)
    clEnqueueReadBuffer(q, b, 0, 0, 64, p, 0, NULL, NULL); // miss: the flag is 0
}
static void fetch(cl_command_queue q, cl_mem b, void *p, cl_bool waits) {
  clEnqueueReadBuffer(q, b, waits, 0, 64, p, 0, NULL, NULL); // HIT: clEnqueueReadBuffer blocks in 'fetch', which is called in a loop
}
static void start(cl_command_queue q, cl_mem b, void *p, cl_bool waits) {
  clEnqueueReadBuffer(q, b, waits, 0, 64, p, 0, NULL, NULL); // miss: one of the calls does not wait
}
void by_flag(cl_command_queue q, cl_mem b, void *p, int n) {
  for (int i = 0; i < n; ++i) {
    fetch(q, b, p, CL_TRUE);
    start(q, b, p, CL_FALSE);
  }
  start(q, b, p, CL_TRUE);
}
// One wait for each queue, but in each frame again.
void frames(cl_command_queue *q, cl_kernel k, size_t n, int count, int frames) {
  for (int f = 0; f < frames; ++f) {
    for (int i = 0; i < count; ++i)
      clEnqueueNDRangeKernel(q[i], k, 1, NULL, &n, NULL, 0, NULL, NULL);
    for (int i = 0; i < count; ++i)
      clFinish(q[i]); // HIT: clFinish waits in a loop
  }
}
void grid(cl_command_queue (*q)[4], int count) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < 4; ++j)
      clFinish(q[i][j]); // miss: one wait for each queue
}
