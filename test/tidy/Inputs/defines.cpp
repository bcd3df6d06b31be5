#include <CL/cl.h>

static const char *Raw = R"(
__kernel void divide(__global T *x, int n) { int i = get_global_id(0);
  x[i] = i / n;
})";

#define KERNEL(...) #__VA_ARGS__
static const char *Text =
    KERNEL(__kernel void twice(__global float *x) { int i = get_global_id(0); x[i] = x[i] * 2.0; });

cl_int build(cl_program p) { return clBuildProgram(p, 0, nullptr, "-D T=int -cl-fast-relaxed-math", nullptr, nullptr); }
