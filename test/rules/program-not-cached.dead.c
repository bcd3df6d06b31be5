// RUN: %{python} %{expect} %s --no-balance
#include <CL/cl.h>
cl_program first(cl_context c, const char *s) {
  return clCreateProgramWithSource(c, 1, &s, NULL, NULL); // HIT: its binary is never stored
}
#if 0
void store(cl_program p, unsigned char **to) {
#if 1
  clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(to), to, NULL);
#endif
}
#endif
