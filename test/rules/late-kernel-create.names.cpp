// RUN: %{python} %{expect} %s
// Functions of one name are others.
#include <CL/cl.h>
#include <cstddef>
static const size_t n = 65536;
cl_kernel apply(cl_program p) {
  return clCreateKernel(p, "scale", nullptr); // miss: the other one launches
}
void apply(cl_command_queue q, cl_kernel k) {
  clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
}
struct First {
  cl_kernel k;
  void run(cl_program p) { k = clCreateKernel(p, "scale", nullptr); } // miss: this one launches nothing
};
struct Second {
  void run(cl_program p, cl_command_queue q) {
    cl_kernel k = clCreateKernel(p, "scale", nullptr); // HIT: in the function that launches it
    clEnqueueNDRangeKernel(q, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
  }
};
