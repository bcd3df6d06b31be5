#include <CL/cl.h>
#define KERNEL(VALUE, ...) "#define SCALE " #VALUE "\n" #__VA_ARGS__
const char *made = KERNEL(2.0f, // twice
  __kernel void both(__global float *x) {
    x[get_global_id(0)] *= SCALE;
  }
);
void make(cl_context c, int single) {
  const char *sources[] = {"__kernel void fill(__global ", single ? "float" : "double", " *x) {\n"
                           "  x[get_global_id(0)] = 0;\n"
                           "}\n"};
  clCreateProgramWithSource(c, 3, sources, 0, 0);
  static const char *sized = "#define SIZE % d\n"
                             "__kernel void shift(__global int *y) {\n"
                             "  y[get_global_id(0)] += SIZE;\n"
                             "}\n";
  clCreateProgramWithSource(c, 1, &sized, 0, 0);
}
