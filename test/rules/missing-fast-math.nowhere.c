// RUN: %{python} %{expect} %s
// Of a file that writes no options nothing is known.
#include <CL/cl.h>
#include <stdio.h>
const char *optionsOf(int n);
void asked(cl_program p) {
  printf("-- building\n");
  clBuildProgram(p, 0, NULL, optionsOf(4), NULL, NULL); // miss: another file's
}
void given(cl_program p, const char *options) {
  clBuildProgram(p, 0, NULL, options, NULL, NULL); // miss: the caller's
}
void none(cl_program p) {
  clBuildProgram(p, 0, NULL, NULL, NULL, NULL); // HIT: a float division takes 4 cycles
}
