#include <CL/cl.h>
static inline void send(cl_command_queue q, cl_mem b, const void *p, size_t n) {
  clEnqueueWriteBuffer(q, b, CL_FALSE, 0, n, p, 0, NULL, NULL);
}
