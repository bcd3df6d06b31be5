// expect: held passes=vectorize
// A 3-D convolution where each work-item walks through the slabs of its column.
__kernel void conv3d_slabs(__global const float *A, __global float *B, int ni, int nj, int nk) {
  int k = get_global_id(0);
  int j = get_global_id(1);
  const float c11 = +2, c21 = +5, c31 = -8, c12 = -3, c22 = +6, c32 = -9, c13 = +4, c23 = +7, c33 = +10;
  if ((j < nj - 1) && (k < nk - 1) && (j > 0) && (k > 0)) {
    for (int i = 1; i < ni - 1; ++i) {
      B[i * (nk * nj) + j * nk + k] =
          c11 * A[(i - 1) * (nk * nj) + (j - 1) * nk + (k - 1)] + c13 * A[(i + 1) * (nk * nj) + (j - 1) * nk + (k - 1)] +
          c21 * A[(i - 1) * (nk * nj) + (j - 1) * nk + (k - 1)] + c23 * A[(i + 1) * (nk * nj) + (j - 1) * nk + (k - 1)] +
          c31 * A[(i - 1) * (nk * nj) + (j - 1) * nk + (k - 1)] + c33 * A[(i + 1) * (nk * nj) + (j - 1) * nk + (k - 1)] +
          c12 * A[i * (nk * nj) + (j - 1) * nk + k] + c22 * A[i * (nk * nj) + j * nk + k] +
          c32 * A[i * (nk * nj) + (j + 1) * nk + k];
    }
  }
}
