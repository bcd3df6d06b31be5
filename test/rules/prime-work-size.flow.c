// RUN: %{python} %{expect} %s
// The value that reaches the launch counts, however the program comes to it.
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
double ceil(double);

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cl_int e_ = (call);                                                                            \
    if (e_ != CL_SUCCESS)                                                                          \
      exit(1);                                                                                     \
  } while (0)

void checked(cl_command_queue q, cl_kernel k) {
  size_t global = 1009;
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL)); // HIT: 1009 work-items in dimension 0, which is prime
}
void given_again(cl_command_queue q, cl_kernel k) {
  size_t global = 1009; // miss: another value is given before the launch
  global = 1024;
  CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL));
}

void one_after_another(cl_command_queue q, cl_kernel a, cl_kernel b) {
  size_t global[1];
  global[0] = 2048; // miss: the first launch has it, and it is even
  clEnqueueNDRangeKernel(q, a, 1, NULL, global, NULL, 0, NULL, NULL);
  global[0] = 2039;
  clEnqueueNDRangeKernel(q, b, 1, NULL, global, NULL, 0, NULL, NULL); // HIT: 2039 work-items in dimension 0, which is prime
}

void by_default(cl_command_queue q, cl_kernel k, int argc, char **argv) {
  size_t n = 100003;
  if (argc > 1)
    n = atoi(argv[1]);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: 100003 work-items in dimension 0 by default, which is prime
}
void measured(cl_command_queue q, cl_kernel k, int wide, size_t other) {
  size_t n = 100003; // miss: the program decides, not its command line
  if (wide)
    n = other;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}

void bad_arguments(cl_command_queue q, cl_kernel k, int bad) {
  size_t n = 1013;
  if (bad) {
    n = 0;
    exit(1);
  }
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: 1013 work-items
}
void asked(cl_command_queue q, cl_kernel k, cl_device_id d) {
  size_t n = 1013; // miss: a function writes to it
  clGetKernelWorkGroupInfo(k, d, CL_KERNEL_WORK_GROUP_SIZE, sizeof(n), &n, NULL);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void grows(cl_command_queue q, cl_kernel k, int steps) {
  size_t n = 1013; // miss: the next iteration has a larger value
  for (int i = 0; i < steps; ++i) {
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
    n += 1;
  }
}

#define NX 4099
void whole_groups(cl_command_queue q, cl_kernel k) {
  size_t local[2] = {32, 8}, global[2];
  global[0] = (size_t)ceil((float)NX / (float)32) * 32; // miss: 4128, by floating point
  global[1] = 8;
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, NULL);
}
void part_groups(cl_command_queue q, cl_kernel k) {
  size_t local[2] = {32, 8}, global[2];
  global[0] = NX;
  global[1] = 8;
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, NULL); // HIT: the local size 32 does not divide it
}

static size_t up(size_t n, size_t m) {
  while (n % m)
    ++n;
  return n;
}
void looped(cl_command_queue q, cl_kernel k) {
  size_t global = up(1009, 16); // miss: 1024, counted up
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static void launch(cl_command_queue q, cl_kernel k, const size_t *global, size_t items) {
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL);
}
void callers(cl_command_queue q, cl_kernel k) {
  size_t bad[2] = {2053, 4};
  launch(q, k, bad, 4096); // HIT: 2053 work-items in dimension 0
  size_t good[2] = {2048, 4}; // miss: the other call of the same function
  launch(q, k, good, 5003); // HIT: 5003 work-items in dimension 0
}
size_t everywhere = 3001;
size_t somewhere = 3001;  // miss: it is given another value, too
void shared(cl_command_queue q, cl_kernel k) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &everywhere, NULL, 0, NULL, NULL); // HIT: 3001 work-items
  clEnqueueNDRangeKernel(q, k, 1, NULL, &somewhere, NULL, 0, NULL, NULL);
}
void set(size_t n) { somewhere = n; }
