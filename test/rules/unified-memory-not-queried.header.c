// RUN: %{python} %{expect} %s --no-balance
// The header transfers, too; this file is where its user looks.
#include "Inputs/sends.h"
void fetch(cl_command_queue q, cl_mem b, void *p, size_t n) {
  clEnqueueReadBuffer(q, b, CL_FALSE, 0, n, p, 0, NULL, NULL); // HIT: is never asked for
}
