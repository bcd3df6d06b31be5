// expect: held passes=vectorize
// A product in double with leading dimensions, row from dimension 0.
__kernel void product_double_ld(uint M, uint N, uint K, __global const double *restrict A, uint lda, __global const double *restrict B,
                                uint ldb, __global double *restrict C, uint ldc) {
  const uint row = get_global_id(0);
  const uint col = get_global_id(1);
  double acc = 0.0;
  uint p = 0;
  while (p < K) {
    acc += A[row * lda + p] * B[p * ldb + col];
    ++p;
  }
  C[row * ldc + col] = acc;
}
