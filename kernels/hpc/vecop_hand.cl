// vecop by hand: four elements for each work-item.
// items: 4
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

__kernel void vecop_hand(__global const real *restrict a, __global const real *restrict b, __global real *restrict c, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n)
    vstore4(vload4(0, a + i) + vload4(0, b + i), 0, c + i);
#ifndef WHOLE_BLOCKS
  else
    for (; i < n; i++)
      c[i] = a[i] + b[i];
#endif
}

__kernel void vecop(__global real *a, __global real *b, __global real *c, int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + b[i];
}
