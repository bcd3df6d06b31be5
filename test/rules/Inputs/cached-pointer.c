#include <CL/cl.h>
cl_program first(cl_context c, const char *s) {
  return clCreateProgramWithSource(c, 1, &s, NULL, NULL);
}
typedef cl_program(CL_API_CALL *Maker)(cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **,
                                      cl_int *, cl_int *);
Maker find(void *library) {
  Maker table[] = {clCreateProgramWithBinary};
  return table[0];
}
