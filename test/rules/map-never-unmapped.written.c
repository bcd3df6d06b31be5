// RUN: %{python} %{expect} %s
// Mapped for writing before a launch.
#include <CL/cl.h>
static void run(cl_command_queue q, cl_kernel k, size_t n) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
}
static float *filled(cl_command_queue q, cl_mem m, size_t n, float v) {
  float *p = (float *)clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_WRITE, 0, n * 4, 0, NULL, NULL, NULL); // miss: what is launched behind its callers is not followed
  p[0] = v;
  return p;
}
int main(int argc, char **argv) {
  cl_command_queue q = NULL;
  cl_kernel k = NULL;
  cl_mem in = NULL, table = NULL, other = NULL, read = NULL;
  size_t n = 4096;
  clSetKernelArg(k, 0, sizeof in, &in);
  clSetKernelArg(k, 1, sizeof table, &table);
  clSetKernelArg(k, 2, sizeof read, &read);
  float *p = (float *)clEnqueueMapBuffer(q, in, CL_TRUE, CL_MAP_WRITE, 0, n * 4, 0, NULL, NULL, NULL); // HIT: the memory object stays mapped for writing, and a kernel with it is launched
  p[0] = argc;
  p = (float *)clEnqueueMapBuffer(q, read, CL_TRUE, CL_MAP_READ, 0, n * 4, 0, NULL, NULL, NULL); // miss: both may read
  p = (float *)clEnqueueMapBuffer(q, other, CL_TRUE, CL_MAP_WRITE, 0, n * 4, 0, NULL, NULL, NULL); // miss: no argument of the kernel
  if (argc > 1) {
    p = (float *)clEnqueueMapBuffer(q, table, CL_TRUE, CL_MAP_WRITE, 0, n * 4, 0, NULL, NULL, NULL); // miss: nothing is launched after it
    return p[0] > 1.0f;
  }
  filled(q, in, n, 1.0f);
  run(q, k, n);
  return 0;
}
