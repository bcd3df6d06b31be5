// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,late-kernel-create --option=late-kernel-create.MaxLines=1 %s
// A program that runs once from start to end: only a kernel created next to its launch is reported.
#include <CL/cl.h>
int main(void) {
  extern cl_program given(cl_command_queue *q, cl_context *c);
  cl_command_queue q;
  cl_context c;
  cl_program p = given(&q, &c);
  float data[1024];
  size_t n = 65536;
  cl_kernel first = clCreateKernel(p, "first", NULL); // miss: buffers are made and filled before it is launched, many lines below
  cl_kernel second = clCreateKernel(p, "second", NULL); // miss: launched after the first
  cl_mem in = clCreateBuffer(c, CL_MEM_READ_ONLY, sizeof(data), NULL, NULL);
  cl_mem out = clCreateBuffer(c, CL_MEM_WRITE_ONLY, sizeof(data), NULL, NULL);
  clEnqueueWriteBuffer(q, in, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  clSetKernelArg(first, 0, sizeof(cl_mem), &in);
  clSetKernelArg(first, 1, sizeof(cl_mem), &out);
  clSetKernelArg(second, 0, sizeof(cl_mem), &in);
  clSetKernelArg(second, 1, sizeof(cl_mem), &out);
  // From
  // here
  // on
  // nothing
  // happens
  // for
  // a
  // long
  // time.
  cl_kernel third = clCreateKernel(p, "third", NULL); // HIT: created in the function that launches it
  clSetKernelArg(third, 0, sizeof(cl_mem), &in);
  cl_mem more = clCreateBuffer(c, CL_MEM_WRITE_ONLY, sizeof(data), NULL, NULL);
  clSetKernelArg(third, 1, sizeof(cl_mem), &more);
  clEnqueueNDRangeKernel(q, first, 1, NULL, &n, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, second, 1, NULL, &n, NULL, 0, NULL, NULL);
  return clEnqueueNDRangeKernel(q, third, 1, NULL, &n, NULL, 0, NULL, NULL);
}
