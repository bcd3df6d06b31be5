#include <CL/cl.h>
#include <stddef.h>
cl_mem make(cl_context c, void *p, size_t n) {
  return clCreateBuffer(c, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n, p, NULL);
}
