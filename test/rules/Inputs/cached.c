#include <CL/cl.h>
cl_program first(cl_context c, const char *s) {
  return clCreateProgramWithSource(c, 1, &s, NULL, NULL);
}
cl_program stored(cl_context c, cl_device_id d, const unsigned char *b, size_t n) {
  return clCreateProgramWithBinary(c, 1, &d, &n, &b, NULL, NULL);
}
