// RUN: %{python} %{expect} %s
#include <CL/cl.h>
struct stage { cl_mem out; size_t bytes, n; };

void *result(struct stage *s, cl_command_queue q, cl_kernel k) {
  clEnqueueNDRangeKernel(q, k, 1, NULL, &s->n, NULL, 0, NULL, NULL);
  return clEnqueueMapBuffer(q, s->out, CL_TRUE, CL_MAP_READ, 0, s->bytes, 0, NULL, NULL, NULL); // HIT: the memory object stays mapped
}

void rounds(cl_command_queue q, cl_kernel k, cl_mem image, size_t n, int count, float *sum) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {n, 1, 1};
  while (count-- > 0) {
    size_t pitch;
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
    float *p = clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL, NULL, NULL); // HIT: the memory object stays mapped
    *sum += p[0];
  }
}

float *staging(cl_command_queue q, cl_mem pinned, size_t bytes) {
  return clEnqueueMapBuffer(q, pinned, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, NULL); // miss: nothing is launched here
}

int main(void) {
  cl_command_queue q = NULL;
  cl_kernel k = NULL;
  cl_mem out = NULL;
  size_t n = 4096;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  float *p = clEnqueueMapBuffer(q, out, CL_TRUE, CL_MAP_READ, 0, n * 4, 0, NULL, NULL, NULL); // miss: the program ends
  return p[0] > 1.0f;
}
