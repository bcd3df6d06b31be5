// RUN: %{python} %{expect} %s --no-balance
// Options that are not known as a whole, in a file that writes some of them, and nowhere one that relaxes.
#include <CL/cl.h>
const char *with(const char *option, int value);
int width(void);
void sized(cl_program p) {
  const char *options = with("-DWIDTH=", width());
  clBuildProgram(p, 0, NULL, options, NULL, NULL); // HIT: a float division takes 4 cycles
}
