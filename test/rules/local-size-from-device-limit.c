// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void item_sizes(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t dims[3];
  clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof dims, dims, NULL);
  size_t g[1] = {n / dims[0] * dims[0]};
  clEnqueueNDRangeKernel(q, k, 1, NULL, g, dims, 0, NULL, NULL); // HIT: CL_DEVICE_MAX_WORK_ITEM_SIZES as its local size
}
void largest(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t most;
  clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  size_t g[1] = {n / most * most};
  clEnqueueNDRangeKernel(q, k, 1, NULL, g, &most, 0, NULL, NULL); // HIT: CL_DEVICE_MAX_WORK_GROUP_SIZE as its local size
}
struct Env { cl_device_id device; cl_command_queue queue; size_t group, kernel_group; };
static size_t device_limit(cl_device_id d) {
  size_t s = 0;
  clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(s), &s, 0);
  return s;
}
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void set_up(struct Env *e) { e->group = device_limit(e->device); }
void by_field(struct Env *e, cl_kernel k, size_t n) {
  size_t local = MIN(e->group, n);
  clEnqueueNDRangeKernel(e->queue, k, 1, NULL, &n, &local, 0, NULL, NULL); // HIT: CL_DEVICE_MAX_WORK_GROUP_SIZE as its local size
}
void two_dims(cl_command_queue q, cl_kernel k, cl_device_id d, const size_t *n) {
  size_t sizes[3], local[2];
  clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
  local[0] = sizes[0];
  local[1] = 1;
  clEnqueueNDRangeKernel(q, k, 2, NULL, n, local, 0, NULL, NULL); // HIT: CL_DEVICE_MAX_WORK_ITEM_SIZES as its local size
}

void of_kernel(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t most;
  clGetKernelWorkGroupInfo(k, d, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  size_t g[1] = {n / most * most};
  clEnqueueNDRangeKernel(q, k, 1, NULL, g, &most, 0, NULL, NULL); // miss: the kernel's limit
}
void bounded(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t limit, local = device_limit(d);
  clGetKernelWorkGroupInfo(k, d, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL);
  while (local > limit)
    local /= 2;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // miss: a loop bounds it by the kernel's limit
}
void small(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t local = MIN(device_limit(d), 64);
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // miss: at most 64
}
void fixed(cl_command_queue q, cl_kernel k, cl_device_id d, size_t n) {
  size_t units = 0, local = 64;
  clGetDeviceInfo(d, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  n = device_limit(d) * units;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL); // miss: only the global size comes from a limit
}
void chosen(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: the runtime chooses
}
