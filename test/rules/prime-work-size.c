// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,prime-work-size --option=prime-work-size.MinSize=100000 %s
#include <CL/cl.h>
#include <stddef.h>

void array(cl_command_queue q, cl_kernel k) {
  size_t global[2] = {1009, 512};
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, NULL, NULL); // HIT: 1009 work-items in dimension 0, which is prime
}

#define WIDTH 1021
void elements(cl_command_queue q, cl_kernel k) {
  size_t global[1];
  global[0] = WIDTH;
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL); // HIT: 1021 work-items
}

void scalar(cl_command_queue q, cl_kernel k) {
  const size_t rows = 2 * 1009;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &rows, NULL, 0, NULL, NULL); // HIT: no work-group of more than 2 work-items divides it
}

static size_t roundUp(size_t n, size_t m) { return (n + m - 1) / m * m; }
void rounded(cl_command_queue q, cl_kernel k) {
  size_t global[1] = {roundUp(1009, 64)}; // miss: rounded up to 1024
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL);
}

void round_number(cl_command_queue q, cl_kernel k) {
  size_t global[1] = {1024}; // miss: 1024
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL);
}

void small(cl_command_queue q, cl_kernel k) {
  size_t global[1] = {13}; // miss: one group holds them
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL);
}

void unknown(cl_command_queue q, cl_kernel k, size_t n) {
  size_t global[1] = {n}; // miss: not known
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL);
}

void changed(cl_command_queue q, cl_kernel k, size_t n) {
  size_t rows = 1009; // miss: it has another value by then
  rows = n;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &rows, NULL, 0, NULL, NULL);
}

// The other dimension gives good groups.
void other_dimension(cl_command_queue q, cl_kernel k) {
  size_t global[2] = {512, 1009}; // miss: the local size is 64 by 1
  size_t local[2] = {64, 1};
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, NULL);
}
