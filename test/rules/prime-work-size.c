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
  size_t global[1] = {13};
  clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL); // HIT: 13 work-items in dimension 0, which is prime
  size_t twelve = 12; // miss: one group of twelve holds them
  clEnqueueNDRangeKernel(q, k, 1, NULL, &twelve, NULL, 0, NULL, NULL);
  size_t ten = 10;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &ten, NULL, 0, NULL, NULL); // HIT: 10 work-items in all: no work-group that is a multiple of 4 divides it
  clEnqueueNDRangeKernel(q, k, 1, NULL, &ten, &ten, 0, NULL, NULL); // HIT: 10 work-items in all: no work-group that is a multiple of 4 divides it
  size_t five = 5; // miss: groups of five, which the local size answers for
  clEnqueueNDRangeKernel(q, k, 1, NULL, &ten, &five, 0, NULL, NULL);
  size_t six[2] = {6, 2}; // miss: twelve in all
  clEnqueueNDRangeKernel(q, k, 2, NULL, six, NULL, 0, NULL, NULL);
  size_t two = 2; // miss: two are no odd group
  clEnqueueNDRangeKernel(q, k, 1, NULL, &two, NULL, 0, NULL, NULL);
}

void channels(cl_command_queue q, cl_kernel k, size_t n) {
  size_t global[2] = {n, 3};
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, NULL, NULL); // HIT: 3 work-items in dimension 1, which is prime
  size_t local[2] = {64, 1}; // miss: groups of 64 by 1
  clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, NULL);
}

// What no dimension is to blame for.
void together(cl_command_queue q, cl_kernel k) {
  size_t odd = 1002;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &odd, NULL, 0, NULL, NULL); // HIT: 1002 work-items in all: no work-group that is a multiple of 4
  size_t cube[3] = {298, 298, 478};
  clEnqueueNDRangeKernel(q, k, 3, NULL, cube, NULL, 0, NULL, NULL); // HIT(powervr-rogue): is a multiple of 4 has 8 work-items
  size_t even[2] = {1002, 64}; // miss: groups of 2 by 64
  clEnqueueNDRangeKernel(q, k, 2, NULL, even, NULL, 0, NULL, NULL);
  size_t thousand = 1000; // miss: groups of 200
  clEnqueueNDRangeKernel(q, k, 1, NULL, &thousand, NULL, 0, NULL, NULL);
  size_t six = 6; // miss: the local size is there
  clEnqueueNDRangeKernel(q, k, 1, NULL, &odd, &six, 0, NULL, NULL);
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
