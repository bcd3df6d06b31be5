// expect: held
// Partial dot products: one item for each run of 32 integers.
#define RUN 32
__kernel void dot_partials(__global const int *a, __global const int *b, __global int *p) {
  int g = get_global_id(0);
  int s = 0;
  for (int k = 0; k < RUN; ++k)
    s += a[g * RUN + k] * b[g * RUN + k];
  p[g] = s;
}
