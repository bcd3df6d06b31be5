// RUN: %{python} %{expect} %s
#include <CL/cl.h>
int limit(cl_device_id d, size_t *to);
void two(cl_command_queue q, cl_kernel k, int many) {
  size_t n = 512;
  if (many)
    n = 2048;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: at most 2048 work-items in all
}
void large(cl_command_queue q, cl_kernel k, int many) {
  size_t n = 512;
  if (many)
    n = 65536;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: one of them is large
}
void halves(cl_command_queue q, cl_kernel k) {
  for (size_t n = 2048 / 2; n > 0; n /= 2)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: at most 1024 work-items in all
}
void grows(cl_command_queue q, cl_kernel k) {
  for (size_t n = 4; n < 65536; n *= 2)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: it grows
}
void differs(cl_command_queue q, cl_kernel k, int many) {
  size_t less = 4;
  if (many)
    less = 4000;
  size_t n = 8000 - less;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: a difference is large where that is small
}
void group(cl_device_id d, cl_command_queue q, cl_kernel k) {
  size_t most = 0;
  limit(d, &most);
  size_t global[] = {most}, local[] = {most};
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, local, 0, NULL, NULL); // HIT: as one work-group
}
void changed(cl_device_id d, cl_command_queue q, cl_kernel k) {
  size_t most = 0;
  limit(d, &most);
  size_t global[] = {most};
  most = most / 4;
  size_t local[] = {most};
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, local, 0, NULL, NULL); // miss: four work-groups
}
