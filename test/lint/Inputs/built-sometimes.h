#ifndef BUILT_SOMETIMES_H
#define BUILT_SOMETIMES_H
#ifdef OPENCL_IS_HERE
const char *source_of_all =
"__kernel void scale(__global float *m) {\n"
"  int i = get_global_id(0);\n"
"  m[i] = 2 * m[i];\n"
"}\n";
#endif
#endif
