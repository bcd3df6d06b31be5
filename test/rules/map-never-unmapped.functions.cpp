// RUN: %{python} %{expect} %s
// Mapped in one method, and launched in another.
#include <CL/cl.h>
#include <CL/opencl.hpp>

class Filter {
  cl_command_queue q;
  cl_kernel k;
  cl_mem out, log;
  size_t n;

public:
  void launch() {
    clSetKernelArg(k, 0, sizeof out, &out);
    clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL);
  }
  float *result() {
    return (float *)clEnqueueMapBuffer(q, out, CL_TRUE, CL_MAP_READ, 0, n, 0, NULL, NULL, NULL); // HIT: the memory object stays mapped, and the next launch may write it
  }
  char *messages() {
    return (char *)clEnqueueMapBuffer(q, log, CL_TRUE, CL_MAP_READ, 0, n, 0, NULL, NULL, NULL); // miss: no kernel gets it
  }
};

struct Bindings {
  cl::CommandQueue q;
  cl::Kernel k;
  cl::Buffer out, pinned;
  size_t n;
  void launch() {
    k.setArg(0, out);
    q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n));
  }
  float *result() {
    return (float *)q.enqueueMapBuffer(out, CL_TRUE, CL_MAP_READ, 0, n); // HIT: the memory object stays mapped
  }
  void *staging() {
    return q.enqueueMapBuffer(pinned, CL_TRUE, CL_MAP_WRITE, 0, n); // miss: memory for transfers
  }
};
