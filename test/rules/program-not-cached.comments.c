// RUN: %{python} %{expect} %s --no-balance
#include <CL/cl.h>
cl_program make(cl_context c, const char *s) {
  /*
  *p = clCreateProgramWithBinary(c, 1, &device, &length,
                                 &binary, NULL, &error);
  */
  return clCreateProgramWithSource(c, 1, &s, NULL, NULL); // HIT: its binary is never stored
}
