// RUN: %{python} %{expect} %s
// Comments are no code: words in them do not make the file one that decides by the device's memory.
#include <CL/cl.h>
/* If the memory is unified, return without a copy. */
void out(cl_command_queue q, cl_mem b, void *p, size_t n) {
  /* unified or not? */
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL); // HIT: clEnqueueReadBuffer copies
}
void *map(cl_command_queue q, cl_mem b, size_t n) {
  return clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_READ, 0, n, 0, NULL, NULL, NULL); // miss: mapped
}
