// RUN: %{python} %{expect} %s
#include <CL/cl.h>
struct env { cl_context c; cl_command_queue q; cl_kernel k; };
void layer(struct env *e, cl_mem w) {
  size_t g = 65536, l = 64;
  cl_event ev;
  clSetKernelArg(e->k, 0, sizeof w, &w);
  clEnqueueNDRangeKernel(e->q, e->k, 1, NULL, &g, &l, 0, NULL, &ev);
  clWaitForEvents(1, &ev); // HIT: clWaitForEvents waits for the launch before it, at each call of 'layer'
}
void pool(struct env *e, size_t n) {
  clEnqueueNDRangeKernel(e->q, e->k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(e->q); // HIT: clFinish waits for the launch before it, at each call of 'pool'
}
void fetch(struct env *e, cl_mem m, void *to, size_t n) {
  clEnqueueNDRangeKernel(e->q, e->k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(e->q, m, CL_TRUE, 0, n, to, 0, NULL, NULL); // miss: the host needs the result
}
void enqueue(struct env *e, size_t n) {
  clEnqueueNDRangeKernel(e->q, e->k, 1, NULL, &n, NULL, 0, NULL, NULL); // miss: nothing waits
}
int main(void) {
  size_t n = 1024;
  struct env e = {0};
  clEnqueueNDRangeKernel(e.q, e.k, 1, NULL, &n, NULL, 0, NULL, NULL);
  clFinish(e.q); // miss: once for the program
  return 0;
}
