// spmv by hand: four elements of a row at a time, with a partial sum in each lane.
// items: 1
// trips: spmv_hand 4
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

__kernel void spmv_hand(__global const int *restrict rowStart, __global const int *restrict column,
                        __global const real *restrict value, __global const real *restrict x, __global real *restrict y,
                        int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  int k = rowStart[row];
  int end = rowStart[row + 1];
  real4 sums = 0;
  for (; k < end && end - k > 3; k += 4) { // k + 3 may overflow where a row is empty
    int4 at = vload4(0, column + k);
    sums += vload4(0, value + k) * (real4)(x[at.s0], x[at.s1], x[at.s2], x[at.s3]);
  }
  real sum = sums.s0 + sums.s1 + sums.s2 + sums.s3;
#ifndef WHOLE_BLOCKS
  for (; k < end; k++)
    sum += value[k] * x[column[k]];
#endif
  y[row] = sum;
}
