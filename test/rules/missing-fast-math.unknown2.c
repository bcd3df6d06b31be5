// RUN: %{python} %{expect} %s --no-balance
// Of a file that writes no options, or one of them that relaxes, nothing is known.
#include <CL/cl.h>
#include <stdio.h>
const char *optionsOf(int n);
void asked(cl_program p) {
  printf("-- building\n");
  clBuildProgram(p, 0, NULL, optionsOf(4), NULL, NULL); // miss: the file writes no options
}
void given(cl_program p, const char *options) {
  clBuildProgram(p, 0, NULL, options, NULL, NULL); // miss: nor here
}
