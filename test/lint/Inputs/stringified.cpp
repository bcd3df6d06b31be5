#include <CL/cl.h>
#include <string>
#define CODE(...) #__VA_ARGS__
static std::string library = CODE(
kernel void twice(global float *v) {
  int i = get_global_id(0);
  v[i] = v[i] * 2.0f;
}

\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n
\n#define STEP(a) a + 1\n
kernel void halve(global float *v, int step) {
  int i = get_global_id(0);
\n#if WIDE == 1\n
  v[i] = v[i] / 2.0f; // half
\n#endif\n
  v[i] += i % step;
}
);
cl_program make(cl_context c) {
  const char *p = library.c_str();
  return clCreateProgramWithSource(c, 1, &p, nullptr, nullptr);
}
