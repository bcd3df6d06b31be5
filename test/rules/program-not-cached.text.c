// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,program-not-cached %s
// Binaries may be loaded by a pointer; the text that looks like a comment is in a string.
#include <CL/cl.h>
void *find(const char *name);
cl_program make(cl_context c) {
  const char *all = "kernels/*", *other = find("clCreateProgramWithBinary");
  return other ? 0 : clCreateProgramWithSource(c, 1, &all, NULL, NULL);
}
