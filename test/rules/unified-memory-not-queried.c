// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,unified-memory-not-queried %S/Inputs/query-memory.c
#include <CL/cl.h>
void first(cl_command_queue q, cl_mem b, const void *p, size_t n) {
  clEnqueueWriteBuffer(q, b, CL_FALSE, 0, n, p, 0, NULL, NULL); // HIT: is never asked for
}
void second(cl_command_queue q, cl_mem b, const void *p, size_t n) {
  clEnqueueWriteBuffer(q, b, CL_FALSE, 0, n, p, 0, NULL, NULL); // miss: once for each file
}
