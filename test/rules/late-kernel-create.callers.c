// RUN: %{python} %{expect} %s
#include <CL/cl.h>
struct app {
  cl_program program;
  cl_command_queue queue;
  cl_kernel kernel;
};
// The launch is in another function.
static void launch(struct app *a, size_t n) {
  clEnqueueNDRangeKernel(a->queue, a->kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void frame(struct app *a, const char *name) {
  a->kernel = clCreateKernel(a->program, name, NULL); // HIT: created in the function that launches it
  launch(a, 4096);
}
void start(struct app *a) {
  a->kernel = clCreateKernel(a->program, "f", NULL); // miss: nothing is launched after it
}
static void run(cl_command_queue q, cl_kernel k, size_t n) {
  for (int i = 0; i < 4; ++i)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void passed(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel first = clCreateKernel(p, "f", NULL); // HIT: created in the function that launches it
  cl_kernel kept = clCreateKernel(p, "g", NULL); // miss: the launch uses another kernel
  run(q, first, n);
  cl_kernel second = clCreateKernel(p, "h", NULL); // HIT: created between launches
  run(q, second, n);
  clReleaseKernel(kept);
}
static size_t arguments(cl_kernel k, cl_mem b) { return clSetKernelArg(k, 0, sizeof(b), &b); }
void prepared(cl_program p, cl_mem b) {
  cl_kernel k = clCreateKernel(p, "f", NULL); // miss: what gets it only sets arguments
  arguments(k, b);
}
// Of another file: with a queue, it launches.
void execute(cl_kernel k, cl_command_queue q, size_t n);
void describe(cl_kernel k);
void elsewhere(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = clCreateKernel(p, "f", NULL); // HIT: created in the function that launches it
  execute(k, q, n);
}
void described(cl_program p) {
  cl_kernel k = clCreateKernel(p, "f", NULL); // miss: no queue
  describe(k);
}
// A function that makes kernels is called where they are launched.
static cl_kernel make(cl_program p, const char *name) {
  cl_int error;
  cl_kernel k = clCreateKernel(p, name, &error); // miss: created for its callers
  if (error != CL_SUCCESS)
    return NULL;
  return k;
}
static cl_kernel cached(cl_program p) {
  static cl_kernel k;
  if (!k)
    k = clCreateKernel(p, "f", NULL); // miss: only the first time
  return k;
}
void made(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = make(p, "f"); // HIT: created in the function that launches it
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void from_cache(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = cached(p); // miss: made once
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
