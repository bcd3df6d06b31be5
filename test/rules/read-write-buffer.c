// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,read-write-buffer %S/Inputs/query-memory.c
#include <CL/cl.h>
void in(cl_command_queue q, cl_mem b, const void *p, size_t n) {
  clEnqueueWriteBuffer(q, b, CL_FALSE, 0, n, p, 0, NULL, NULL); // HIT: clEnqueueWriteBuffer copies
}
void out(cl_command_queue q, cl_mem b, void *p, size_t n) {
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL); // HIT: clEnqueueReadBuffer copies
}
void *map(cl_command_queue q, cl_mem b, size_t n) {
  return clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_READ, 0, n, 0, NULL, NULL, NULL); // miss: mapped
}
void device(cl_command_queue q, cl_mem a, cl_mem b, size_t n) {
  clEnqueueCopyBuffer(q, a, b, 0, 0, n, 0, NULL, NULL); // miss: between two buffers
}
