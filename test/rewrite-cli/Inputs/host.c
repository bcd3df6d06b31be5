#include <CL/cl.h>
static const char *source = "__kernel void scale(__global float *x) { x[get_global_id(0)] *= 2.0f; }";
cl_program make(cl_context c) { return clCreateProgramWithSource(c, 1, &source, NULL, NULL); }
