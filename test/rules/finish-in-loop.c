// RUN: %{python} %{expect} %s
#include <CL/cl.h>
void finish(cl_command_queue q, int n) {
  for (int i = 0; i < n; ++i)
    clFinish(q); // HIT: clFinish waits in a loop
}
void read(cl_command_queue q, cl_mem b, void *p, size_t s, int n) {
  do
    clEnqueueReadBuffer(q, b, CL_TRUE, 0, s, p, 0, NULL, NULL); // HIT: clEnqueueReadBuffer blocks in a loop
  while (--n);
}
void events(cl_command_queue q, cl_event e, int n) {
  while (n--)
    clWaitForEvents(1, &e); // HIT: clWaitForEvents waits in a loop
}
void after(cl_command_queue q, cl_mem b, void *p, size_t s, int n) {
  for (int i = 0; i < n; ++i)
    clEnqueueReadBuffer(q, b, CL_FALSE, 0, s, p, 0, NULL, NULL); // miss: does not block
  clFinish(q); // miss: after the loop
}
void flush(cl_command_queue q, int n) {
  for (int i = 0; i < n; ++i)
    clFlush(q); // miss: does not wait
}
