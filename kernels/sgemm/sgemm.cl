// Single-precision matrix product C = alpha * A * B + beta * C, naive: row-major square matrices of
// order n, one work-item for each element, row from dimension 0, column from dimension 1.
__kernel void sgemm(__global float *A, __global float *B, __global float *C, float alpha, float beta, int n) {
  int i = get_global_id(0);
  int j = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) {
    sum += A[i * n + k] * B[k * n + j];
  }
  C[i * n + j] = alpha * sum + beta * C[i * n + j];
}
