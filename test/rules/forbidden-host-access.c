// RUN: %{python} %{expect} %s
#include <CL/cl.h>
struct stage {
  cl_mem scratch, result;
  cl_command_queue q;
};

void make(struct stage *s, cl_context c, size_t n) {
  s->scratch = clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, n, NULL, NULL);
  s->result = clCreateBuffer(c, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, n, NULL, NULL);
}

void frame(struct stage *s, float *out, size_t n) {
  clEnqueueReadBuffer(s->q, s->scratch, CL_TRUE, 0, n, out, 0, NULL, NULL); // HIT: clEnqueueReadBuffer of a buffer whose flags forbid the host this
  clEnqueueReadBuffer(s->q, s->result, CL_TRUE, 0, n, out, 0, NULL, NULL); // miss: it may be read
  clEnqueueWriteBuffer(s->q, s->result, CL_TRUE, 0, n, out, 0, NULL, NULL); // HIT: clEnqueueWriteBuffer of a buffer
}

void *mapped(cl_context c, cl_command_queue q, size_t n, int reads) {
  cl_mem in = clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, n, NULL, NULL);
  if (reads)
    return clEnqueueMapBuffer(q, in, CL_TRUE, CL_MAP_READ, 0, n, 0, NULL, NULL, NULL); // HIT: clEnqueueMapBuffer of a buffer
  return clEnqueueMapBuffer(q, in, CL_TRUE, CL_MAP_WRITE, 0, n, 0, NULL, NULL, NULL); // miss: it may be written
}

void either(cl_context c, cl_command_queue q, float *out, size_t n, int debug) {
  cl_mem b = debug ? clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, NULL)
                   : clCreateBuffer(c, CL_MEM_HOST_NO_ACCESS, n, NULL, NULL);
  if (debug)
    clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, out, 0, NULL, NULL); // miss: one of the two allows it
}

void given(cl_command_queue q, cl_mem b, float *out, size_t n) {
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, n, out, 0, NULL, NULL); // miss: its flags are not known
}
