// RUN: %{python} %{expect} %s
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
void back(cl::CommandQueue q, cl::Context c, cl::Buffer in, float *host) {
  cl::Buffer stage(c, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, 4096);
  q.enqueueCopyBuffer(in, stage, 0, 0, 4096); // HIT: CL_MEM_READ_ONLY is the destination of enqueueCopyBuffer
  q.enqueueReadBuffer(stage, CL_TRUE, 0, 4096, host); // miss: the host reads
}
void fill(cl_context c, cl_command_queue q, size_t n) {
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_ONLY, n, nullptr, nullptr);
  cl_uint zero = 0;
  clEnqueueFillBuffer(q, b, &zero, sizeof zero, 0, n, 0, nullptr, nullptr); // HIT: CL_MEM_READ_ONLY is the destination of clEnqueueFillBuffer
}
void source(cl_context c, cl_command_queue q, cl_mem to, size_t n) {
  cl_int e;
  cl_mem from = nullptr;
  from = clCreateBuffer(c, CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR, n, nullptr, &e);
  clEnqueueCopyBuffer(q, from, to, 0, 0, n, 0, nullptr, nullptr); // HIT: CL_MEM_WRITE_ONLY is the source of clEnqueueCopyBuffer
}
void fine(cl_context c, cl_command_queue q, const void *data, cl_mem other, size_t n) {
  cl_mem in = clCreateBuffer(c, CL_MEM_READ_ONLY, n, nullptr, nullptr);
  clEnqueueWriteBuffer(q, in, CL_TRUE, 0, n, data, 0, nullptr, nullptr); // miss: the host writes
  clEnqueueCopyBuffer(q, in, other, 0, 0, n, 0, nullptr, nullptr); // miss: the source is readable
  cl_mem both = clCreateBuffer(c, CL_MEM_READ_WRITE, n, nullptr, nullptr);
  clEnqueueCopyBuffer(q, in, both, 0, 0, n, 0, nullptr, nullptr); // miss: CL_MEM_READ_WRITE
}
