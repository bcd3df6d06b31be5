// Licence line that stays.
#include "factor.h"

__kernel void scale(__global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * FACTOR; // by a macro
}

__kernel void untouched(__global int *a) { a[get_global_id(0)] = 1; }
