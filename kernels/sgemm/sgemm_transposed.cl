// The product with B transposed before, T = transpose of B: both inner loops run along a row. One work-item for each element,
// column from dimension 0, row from dimension 1. The sums run over k in the naive kernel's order, so the bits are the same.
// The host launches transpose once, then sgemm_transposed.
// items: 1
// trips: sgemm_transposed 16
__kernel void transpose(__global const float *B, __global float *T, int n) {
  int j = get_global_id(0);
  int k = get_global_id(1);
  T[j * n + k] = B[k * n + j];
}

__kernel void sgemm_transposed(__global const float *A, __global const float *T, __global float *C, float alpha,
                               float beta, int n) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += A[i * n + k] * T[j * n + k];
  C[i * n + j] = alpha * sum + beta * C[i * n + j];
}
