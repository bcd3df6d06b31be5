// Register blocking by hand, B transposed: 2 rows x 2 columns of C for each work-item, 4 steps of k at a time. Four vector
// loads (16 elements) for 16 multiplications. Each sum is made in four lanes, which are added at the end.
// The order must be a multiple of 4; sgemm_transposed runs for the others.
// sums: reordered
// items: 4
// trips: sgemm_2x2x4 4

float sum_of(float4 v) {
  return v.x + v.y + v.z + v.w;
}

__kernel void sgemm_2x2x4(__global const float *A, __global const float *T, __global float *C, float alpha,
                          float beta, int n) {
  int j = get_global_id(0) * 2;
  int i = get_global_id(1) * 2;
  float4 sum00 = (float4)(0.0f), sum01 = sum00, sum10 = sum00, sum11 = sum00;
  for (int k = 0; k < n; k += 4) {
    float4 a0 = vload4(0, A + i * n + k);
    float4 a1 = vload4(0, A + (i + 1) * n + k);
    float4 t0 = vload4(0, T + j * n + k);
    float4 t1 = vload4(0, T + (j + 1) * n + k);
    sum00 += a0 * t0;
    sum01 += a0 * t1;
    sum10 += a1 * t0;
    sum11 += a1 * t1;
  }
  __global float *c = C + i * n + j;
  vstore2(alpha * (float2)(sum_of(sum00), sum_of(sum01)) + beta * vload2(0, c), 0, c);
  vstore2(alpha * (float2)(sum_of(sum10), sum_of(sum11)) + beta * vload2(0, c + n), 0, c + n);
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
