// Dense matrix product C = A * B, row-major square matrices of order n: one work-item for each element.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void dmmm(__global const real *a, __global const real *b, __global real *c, int n) {
  int col = get_global_id(0);
  int row = get_global_id(1);
  real sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
