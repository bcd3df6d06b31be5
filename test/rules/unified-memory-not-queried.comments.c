// RUN: %{python} %{expect} %s
// A comment is no query.
#include <CL/cl.h>
/* TODO: ask for CL_DEVICE_HOST_UNIFIED_MEMORY */
void out(cl_command_queue q, cl_mem b, void *p, size_t n) {
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL); // HIT: never asked for
}
void in(cl_command_queue q, cl_mem b, const void *p, size_t n) {
  clEnqueueWriteBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL); // miss: once for each file
}
