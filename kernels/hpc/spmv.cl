// Sparse matrix times vector, compressed rows: one work-item for each row.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void spmv(__global const int *rowStart, __global const int *column, __global const real *value,
                   __global const real *x, __global real *y, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    real sum = 0;
    for (int k = rowStart[row]; k < rowStart[row + 1]; k++)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}
