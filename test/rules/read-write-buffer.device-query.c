// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,read-write-buffer %S/Inputs/query-memory-variable.c
// The answer of the query is only printed.
#include <CL/cl.h>
#include <stdio.h>
void shown(cl_device_id d, cl_command_queue q, cl_mem b, void *p, size_t n) {
  cl_bool answer;
  if (clGetDeviceInfo(d, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(answer), &answer, NULL) != CL_SUCCESS) // miss: only the error code is checked
    return;
  printf("unified memory: %s\n", answer == CL_TRUE ? "yes" : "no");
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, p, 0, NULL, NULL); // HIT: clEnqueueReadBuffer copies
}
