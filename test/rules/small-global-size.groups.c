// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void task(cl_command_queue q, cl_kernel k) {
  clEnqueueTask(q, k, 0, NULL, NULL); // HIT: launched with 1 work-item in all
}
void one_group(cl_command_queue q, cl_kernel k, size_t most) {
  size_t global[] = {most}, local[] = {most};
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, local, 0, NULL, NULL); // HIT: launched as one work-group
}
void several_groups(cl_command_queue q, cl_kernel k, size_t most, size_t n) {
  size_t local[] = {most};
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, local, 0, NULL, NULL); // miss: another size
  most *= 64;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &most, local, 0, NULL, NULL); // miss: the variable is no longer the same
}
