#include "store.h"
cl_program make(cl_context context, cl_device_id device, const char *text) {
  cl_program program = stored(context, device, NULL, 0);
  return program ? program : clCreateProgramWithSource(context, 1, &text, NULL, NULL);
}
void get(cl_command_queue queue, cl_mem buffer, void *to, size_t n) {
  clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, n, to, 0, NULL, NULL);
}
