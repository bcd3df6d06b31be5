// RUN: %{python} %{expect} %s
// Options that are one of several.
#include <CL/cl.h>
#include <stdio.h>
void debug(cl_program p, int debug) {
  clBuildProgram(p, 0, NULL, debug ? "-g" : "-w", NULL, NULL); // HIT: without -cl-fast-relaxed-math
  clBuildProgram(p, 0, NULL, debug ? "-g" : "-cl-fast-relaxed-math", NULL, NULL); // miss: one of them has it
}
static void build(cl_program p, const char *more) {
  char options[200];
  sprintf(options, "-DN=4 %s", more);
  clBuildProgram(p, 0, NULL, options, NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
void all(cl_program p) {
  build(p, "-w");
  build(p, "");
}
static void build_fast(cl_program p, const char *more) {
  clBuildProgram(p, 0, NULL, more, NULL, NULL); // miss: the caller passes the options
}
void fast(cl_program p) {
  build_fast(p, "-w");
  build_fast(p, "-cl-fast-relaxed-math");
}
static void build_any(cl_program p, const char *more) {
  clBuildProgram(p, 0, NULL, more, NULL, NULL); // miss: one of them is not known
}
void any(cl_program p, const char *given) {
  build_any(p, "-w");
  build_any(p, given);
}
