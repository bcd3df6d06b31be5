/* What a missing header would have declared, the linter has for itself; the file has not. */
#include <CL/cl.h>
#include <no/such/header.h>
bool put(cl_context c, cl_command_queue q, uint32_t *p) {
  cl_mem b = clCreateBuffer(c, CL_MEM_READ_ONLY, 64, NULL, NULL);
  return clEnqueueWriteBuffer(q, b, CL_TRUE, 0, 64, p, 0, NULL, NULL) == CL_SUCCESS;
}
