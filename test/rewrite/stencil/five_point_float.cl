// expect: held passes=vectorize
// One step of a five-point average on a row-major grid; the border is left alone.
__kernel void five_point_float(__global const float *A, __global float *B, int n, int m) {
  int i = get_global_id(1);
  int j = get_global_id(0);
  if ((i >= 1) && (i < (n - 1)) && (j >= 1) && (j < (m - 1))) {
    B[i * m + j] = 0.2f * (A[i * m + j] + A[i * m + (j - 1)] + A[i * m + (1 + j)] + A[(1 + i) * m + j] + A[(i - 1) * m + j]);
  }
}
