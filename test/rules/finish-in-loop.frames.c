// RUN: %{python} %{expect} %s
// A function whose name says that it runs repeatedly, in any caller.
#include <CL/cl.h>
void drawFrame(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q); // HIT: clFinish waits in 'drawFrame', which by its name is called again and again
}
void time_step(cl_command_queue q, cl_kernel k, cl_mem b, float *to, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, to, 0, NULL, NULL); // HIT: clEnqueueReadBuffer blocks in 'time_step'
}
void framework(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q); // HIT: clFinish waits for the launch before it, at each call of 'framework'
}
void queued(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: nothing waits
}
void update_settings(cl_command_queue q) {
  clFinish(q); // miss: it launches nothing
}
static void advance(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(q); // miss: it is called once, as the file shows
}
int main(void) {
  extern cl_kernel given(cl_command_queue *q);
  cl_command_queue q;
  cl_kernel k = given(&q);
  advance(q, k, 4096);
  return 0;
}
