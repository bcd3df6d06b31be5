// The vectorized SGEMM of the Mali OpenCL SDK's sample, written anew: C = alpha * A * B + beta * C
// with the sum over k in four lanes; a row of A by vload4, a column of B gathered element by element.
// Column from dimension 0, row from dimension 1; the order must be a multiple of 4.
// items: 1
// trips: sgemm_sdk 4
__kernel void sgemm_sdk(__global const float *A, __global const float *B, __global float *C, float alpha, float beta,
                        int n) {
  const int j = get_global_id(0);
  const int i = get_global_id(1);
  __global const float *a = A + i * n;
  int b = j;
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; k += 4) {
    float4 column;
    column.x = B[b];
    b += n;
    column.y = B[b];
    b += n;
    column.z = B[b];
    b += n;
    column.w = B[b];
    b += n;
    sum += vload4(0, a) * column;
    a += 4;
  }
  C[i * n + j] = alpha * (sum.x + sum.y + sum.z + sum.w) + beta * C[i * n + j];
}
