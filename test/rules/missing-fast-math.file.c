// RUN: %{python} %{expect} %s
// The kernels are in a missing file: their arithmetic type is unknown.
#include <CL/cl.h>
const char *read_file(const char *name);
void build(cl_context c, cl_device_id d) {
  const char *source = read_file("nowhere/count.cl");
  cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL); // miss: makes it
  clBuildProgram(p, 1, &d, NULL, NULL, NULL); // HIT: without -cl-fast-relaxed-math
}
