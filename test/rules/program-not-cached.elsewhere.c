// RUN: %{python} %{expect} %s
// RUN: clmali-lint --checks=-*,program-not-cached %S/Inputs/cached-elsewhere.c | count 0
#include <CL/cl.h>
cl_program makeProgram(cl_context c, cl_device_id d, const char *file);
cl_program getProgram(int which);
cl_int compileProgram(cl_context c, const char *file, cl_program *to);
void printProgramLog(cl_program p);
cl_kernel loadKernel(cl_context c, const char *file, const char *name);
char *loadKernelText(cl_context c, const char *file, const char *name);
cl_program own(cl_context c, const char *text);

cl_program first(cl_context c, cl_device_id d) {
  return makeProgram(c, d, "scale.cl"); // HIT: its binary is never stored
}
cl_program kept(void) {
  cl_program p = getProgram(1); // miss: of what is there
  return p;
}
void filled(cl_context c) {
  cl_program p;
  compileProgram(c, "scale.cl", &p); // HIT: its binary is never stored
  printProgramLog(p); // miss: is given one
}
void kernel(cl_context c) {
  cl_kernel k = loadKernel(c, "scale.cl", "scale"); // HIT: its binary is never stored
  cl_program p = makeProgram(c, 0, "scale.cl"); // miss: once for each function
  clReleaseKernel(k);
  clReleaseProgram(p);
}
void other(cl_context c, int (*makeMesh)(cl_context, const char *)) {
  makeMesh(c, "scale.obj"); // miss: no program
}
