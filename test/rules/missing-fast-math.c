// RUN: %{python} %{expect} %s
// RUN: cp %s %t.c
// RUN: clmali-lint --device=powervr --checks=-*,missing-fast-math --unsafe-fixes %t.c
// RUN: diff %S/Inputs/missing-fast-math.fixed %t.c
#include <CL/cl.h>
void none(cl_program p, cl_device_id d) {
  clBuildProgram(p, 1, &d, NULL, NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
void other(cl_program p, cl_device_id d) {
  clBuildProgram(p, 1, &d, "-DN=4", NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
void there(cl_program p, cl_device_id d) {
  clBuildProgram(p, 1, &d, "-cl-fast-relaxed-math -DN=4", NULL, NULL); // miss: it is there
}
void unknown(cl_program p, cl_device_id d, const char *options) {
  clBuildProgram(p, 1, &d, options, NULL, NULL); // miss: not known
}
void variable(cl_program p, cl_device_id d) {
  const char *options = "-cl-fast-relaxed-math";
  clBuildProgram(p, 1, &d, options, NULL, NULL); // miss: the variable has it
}
void half(cl_program p, cl_device_id d) {
  clBuildProgram(p, 1, &d, "-cl-finite-math-only", NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
void parts(cl_program p, cl_device_id d) {
  clBuildProgram(p, 1, &d, "-cl-unsafe-math-optimizations -cl-finite-math-only", NULL, NULL); // miss: the two that it sets
}
