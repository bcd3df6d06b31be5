// dmmm by hand: four rows and four columns for each work-item, four steps of k at a time. The order must be a multiple
// of 4; the original stands below for the others.
// items: 16
// trips: dmmm_hand 4
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

inline real4 step4(real4 sum, real4 a, real4 b0, real4 b1, real4 b2, real4 b3) {
  sum += a.s0 * b0;
  sum += a.s1 * b1;
  sum += a.s2 * b2;
  sum += a.s3 * b3;
  return sum;
}

__kernel void dmmm_hand(__global const real *restrict a, __global const real *restrict b, __global real *restrict c, int n) {
  int col = get_global_id(0) * 4;
  int row = get_global_id(1) * 4;
  real4 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (int k = 0; k < n; k += 4) {
    __global const real *at = b + k * n + col;
    real4 b0 = vload4(0, at), b1 = vload4(0, at + n), b2 = vload4(0, at + 2 * n), b3 = vload4(0, at + 3 * n);
    at = a + row * n + k;
    sum0 = step4(sum0, vload4(0, at), b0, b1, b2, b3);
    sum1 = step4(sum1, vload4(0, at + n), b0, b1, b2, b3);
    sum2 = step4(sum2, vload4(0, at + 2 * n), b0, b1, b2, b3);
    sum3 = step4(sum3, vload4(0, at + 3 * n), b0, b1, b2, b3);
  }
  __global real *to = c + row * n + col;
  vstore4(sum0, 0, to);
  vstore4(sum1, 0, to + n);
  vstore4(sum2, 0, to + 2 * n);
  vstore4(sum3, 0, to + 3 * n);
}

__kernel void dmmm(__global const real *a, __global const real *b, __global real *c, int n) {
  int col = get_global_id(0);
  int row = get_global_id(1);
  real sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
