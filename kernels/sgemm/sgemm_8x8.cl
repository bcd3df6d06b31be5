// Comparison form by hand: 8 rows x 8 columns of C for each work-item, in registers; dimension 0 walks
// along the row. Each element's sum runs over k in the naive kernel's order, so the bits are the same.
// The order must be a multiple of 8; the naive kernel runs for the others.
// items: 64
// trips: sgemm_8x8 16
__kernel void sgemm_8x8(__global const float *A, __global const float *B, __global float *C, float alpha, float beta,
                        int n) {
  int j = get_global_id(0) * 8;
  int i = get_global_id(1) * 8;
  float8 sum[8];
  for (int r = 0; r < 8; ++r)
    sum[r] = (float8)(0.0f);
  for (int k = 0; k < n; ++k) {
    float8 b = vload8(0, B + k * n + j);
#pragma unroll
    for (int r = 0; r < 8; ++r)
      sum[r] += A[(i + r) * n + k] * b;
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    __global float *c = C + (i + r) * n + j;
    vstore8(alpha * sum[r] + beta * vload8(0, c), 0, c);
  }
}

__kernel void sgemm(__global float *A, __global float *B, __global float *C, float alpha, float beta, int n) {
  int i = get_global_id(0);
  int j = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += A[i * n + k] * B[k * n + j];
  C[i * n + j] = alpha * sum + beta * C[i * n + j];
}
