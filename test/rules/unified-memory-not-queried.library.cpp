// RUN: %{python} %{expect} %s --no-balance
// A header declares the query, but it is never called.
#include "Inputs/library.hpp"
void get(cl_command_queue q, cl_mem m, void *p, size_t n) {
  clEnqueueReadBuffer(q, m, CL_FALSE, 0, n, p, 0, nullptr, nullptr); // HIT: is never asked for
}
