// RUN: %{python} %{expect} %s
// A class that loads the library and passes the calls on.
#include <CL/cl.h>
struct Library {
  static cl_int enqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *waits,
                                     cl_event *event);
  static cl_int enqueueKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *waits,
                              cl_event *event);
};
struct Farm {
  static cl_int enqueueNDRangeKernel(int where, const size_t *global, const size_t *local);
};
cl_int enqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *waits, cl_event *event) {
  size_t one = 1;
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, count, waits, event); // HIT: launched without a local size
}
void run(cl_command_queue q, cl_kernel k, size_t n) {
  size_t local = 64;
  Library::enqueueNDRangeKernel(q, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr); // HIT: launched without a local size
  Library::enqueueNDRangeKernel(q, k, 1, nullptr, &n, &local, 0, nullptr, nullptr); // miss: it has one
  Library::enqueueKernel(q, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr); // miss: no function of the API has that name
  Farm::enqueueNDRangeKernel(1, &n, nullptr); // miss: it has other parameters
}
