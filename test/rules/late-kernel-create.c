// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void late(cl_program p, cl_command_queue q, size_t n) {
  cl_kernel k = clCreateKernel(p, "f", NULL); // HIT: created in the function that launches it
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
cl_kernel make(cl_program p) {
  return clCreateKernel(p, "f", NULL); // miss: it is launched elsewhere
}
void whole_program(cl_context c, cl_device_id d, cl_command_queue q, const char *s, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &s, NULL, NULL);
  clBuildProgram(p, 1, &d, NULL, NULL, NULL);
  cl_kernel k = clCreateKernel(p, "f", NULL); // HIT: created in the function that launches it
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
int main(void) {
  extern cl_program given(cl_command_queue *q);
  cl_command_queue q;
  cl_program p = given(&q);
  cl_kernel k = clCreateKernel(p, "scale", NULL); // HIT: created in the function that launches it
  size_t n = 65536;
  return clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void one_after_another(cl_context c, cl_device_id d, cl_command_queue q, const char *s, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &s, NULL, NULL);
  clBuildProgram(p, 1, &d, NULL, NULL, NULL);
  cl_kernel first = clCreateKernel(p, "f", NULL); // HIT: created in the function that launches it
  clEnqueueNDRangeKernel(q, first, 1, NULL, &n, NULL, 0, NULL, NULL);
  cl_kernel second = clCreateKernel(p, "g", NULL); // HIT: created between launches
  clEnqueueNDRangeKernel(q, second, 1, NULL, &n, NULL, 0, NULL, NULL);
  cl_kernel kept = clCreateKernel(p, "h", NULL); // miss: nothing is launched after it
  clReleaseKernel(kept);
}
void launched_before(cl_program p, cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  cl_kernel next = clCreateKernel(p, "f", NULL); // miss: for the next time
  (void)next;
}
cl_kernel remembered(cl_program p) {
  static cl_kernel k;
  if (!k)
    k = clCreateKernel(p, "f", NULL); // miss: launched elsewhere, and kept
  return k;
}
void only_transfers(cl_program p, cl_command_queue q, cl_mem b, void *to) {
  cl_kernel k = clCreateKernel(p, "f", NULL); // miss: no kernel is launched
  clEnqueueReadBuffer(q, b, CL_FALSE, 0, 64, to, 0, NULL, NULL);
  (void)k;
}
