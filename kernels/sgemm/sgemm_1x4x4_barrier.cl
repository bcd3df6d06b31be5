// sgemm_1x4x4 with a barrier.
// Every DK steps of k the work-items of a group wait for each other (cache blocking): without it they drift apart, and together
// need more cache lines than the cache holds. No access needs the barrier; it may not be removed.
// The order must be a multiple of 32 (groups of 8x16); the naive kernel runs for the others.
// items: 4
// trips: sgemm_1x4x4_barrier 1 4

#ifndef DK
#define DK 64 // a multiple of 4
#endif

__kernel void sgemm_1x4x4_barrier(__global const float *A, __global const float *B, __global float *C, float alpha,
                                  float beta, int n) {
  int j = get_global_id(0) * 4;
  int i = get_global_id(1);
  float4 sum = (float4)(0.0f);
  for (int block = 0; block < n; block += DK) {
    int end = min(block + DK, n);
    for (int k = block; k < end; k += 4) {
      float4 a = vload4(0, A + i * n + k);
      sum += a.x * vload4(0, B + k * n + j);
      sum += a.y * vload4(0, B + (k + 1) * n + j);
      sum += a.z * vload4(0, B + (k + 2) * n + j);
      sum += a.w * vload4(0, B + (k + 3) * n + j);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  __global float *c = C + i * n + j;
  vstore4(alpha * sum + beta * vload4(0, c), 0, c);
}

__kernel void sgemm(__global float *A, __global float *B, __global float *C, float alpha, float beta, int n) {
  int i = get_global_id(0);
  int j = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += A[i * n + k] * B[k * n + j];
  C[i * n + j] = alpha * sum + beta * C[i * n + j];
}
