// RUN: %{python} %{expect} %s --no-balance
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,program-not-cached %S/Inputs/cached.c
#include <CL/cl.h>
cl_program first(cl_context c, const char *s) {
  return clCreateProgramWithSource(c, 1, &s, NULL, NULL); // HIT: its binary is never stored
}
cl_program second(cl_context c, const char *s) {
  return clCreateProgramWithSource(c, 1, &s, NULL, NULL); // HIT: its binary is never stored
}
void third(cl_context c, const char **s, cl_program *p) {
  p[0] = clCreateProgramWithSource(c, 1, s, NULL, NULL); // HIT: its binary is never stored
  p[1] = clCreateProgramWithSource(c, 1, s + 1, NULL, NULL); // HIT: its binary is never stored
}
