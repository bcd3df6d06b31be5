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
  cl_kernel k = clCreateKernel(p, "f", NULL); // miss: the program is made here, too
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
int main(void) {
  extern cl_program given(cl_command_queue *q);
  cl_command_queue q;
  cl_program p = given(&q);
  cl_kernel k = clCreateKernel(p, "scale", NULL); // miss: an application's start, whoever makes the context
  size_t n = 65536;
  return clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
void one_after_another(cl_context c, cl_device_id d, cl_command_queue q, const char *s, size_t n) {
  cl_program p = clCreateProgramWithSource(c, 1, &s, NULL, NULL);
  clBuildProgram(p, 1, &d, NULL, NULL, NULL);
  cl_kernel first = clCreateKernel(p, "f", NULL); // miss: nothing was launched before
  clEnqueueNDRangeKernel(q, first, 1, NULL, &n, NULL, 0, NULL, NULL);
  cl_kernel second = clCreateKernel(p, "g", NULL); // HIT: created between launches
  clEnqueueNDRangeKernel(q, second, 1, NULL, &n, NULL, 0, NULL, NULL);
  cl_kernel kept = clCreateKernel(p, "h", NULL); // miss: nothing is launched after it
  clReleaseKernel(kept);
}
