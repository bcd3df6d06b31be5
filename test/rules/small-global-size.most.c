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
void sizes_of_rounds(cl_command_queue q, cl_kernel k) {
  size_t sizes[3] = {100, 300, 200};
  for (int i = 0; i < 3; ++i)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &sizes[i], NULL, 0, NULL, NULL); // HIT: at most 300 work-items in all
  for (int i = 0; i < 4; i++) {
    size_t n[2] = {64 << i, i + 1};
    clEnqueueNDRangeKernel(q, k, 2, NULL, n, NULL, 0, NULL, NULL); // HIT: at most 2048 work-items in all
  }
}
void merges(cl_command_queue q, cl_kernel k) {
  const int n = 256;
  for (int width = 1; width < n; width *= 2) {
    size_t pairs = (n + 2 * width - 1) / (2 * width);
    clEnqueueNDRangeKernel(q, k, 1, NULL, &pairs, NULL, 0, NULL, NULL); // HIT: at most 128 work-items in all
  }
}
void grows_to_little(cl_command_queue q, cl_kernel k) {
  for (size_t n = 4; n <= 1024; n += 4)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: more rounds than are looked at
  for (size_t n = 4; n <= 1024; n *= 4)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // HIT: at most 1024 work-items in all
}
void leaps(cl_command_queue q, cl_kernel k, size_t next) {
  for (size_t n = 4; n <= 1024; n *= 2) {
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: the body changes it, too
    if (next)
      n = next;
  }
}
void unbounded(cl_command_queue q, cl_kernel k, size_t end) {
  for (size_t n = 4; n <= end; n *= 2)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: its end is not known
  for (size_t n = 4; n > 2; n *= 2)
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: it has no end
}
void products(cl_command_queue q, cl_kernel k, size_t rows) {
  for (size_t n = 4; n <= 64; n *= 2) {
    size_t all = n * rows;
    clEnqueueNDRangeKernel(q, k, 1, NULL, &all, NULL, 0, NULL, NULL); // miss: the other factor is not known
  }
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
