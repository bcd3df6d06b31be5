// RUN: %{python} %{expect} %s --no-balance
// Options that are not known as a whole, in a file that writes some of them.
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
int width(void);
void sized(cl_program p) {
  char options[200];
  strcpy(options, "-DWIDTH=");
  sprintf(options + strlen(options), "%d", width());
  clBuildProgram(p, 0, NULL, options, NULL, NULL); // HIT: none of the options that this file writes is it
}
void none(cl_program p) {
  clBuildProgram(p, 0, NULL, "-cl-finite", NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
