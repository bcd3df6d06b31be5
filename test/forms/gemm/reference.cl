// block: 4x4
// when: n % 4 == 0
// steps: 4
__kernel void gemm(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                   int n) {
  int x = 4 * get_global_id(0), y = 4 * get_global_id(1);
  float4 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k = 0; k < n; k += 4) {
    float4 a0 = vload4(0, a + y * n + k), a1 = vload4(0, a + (y + 1) * n + k);
    float4 a2 = vload4(0, a + (y + 2) * n + k), a3 = vload4(0, a + (y + 3) * n + k);
    float4 b0 = vload4(0, b + k * n + x), b1 = vload4(0, b + (k + 1) * n + x);
    float4 b2 = vload4(0, b + (k + 2) * n + x), b3 = vload4(0, b + (k + 3) * n + x);
    s0 = s0 + a0.x * b0; s0 = s0 + a0.y * b1; s0 = s0 + a0.z * b2; s0 = s0 + a0.w * b3;
    s1 = s1 + a1.x * b0; s1 = s1 + a1.y * b1; s1 = s1 + a1.z * b2; s1 = s1 + a1.w * b3;
    s2 = s2 + a2.x * b0; s2 = s2 + a2.y * b1; s2 = s2 + a2.z * b2; s2 = s2 + a2.w * b3;
    s3 = s3 + a3.x * b0; s3 = s3 + a3.y * b1; s3 = s3 + a3.z * b2; s3 = s3 + a3.w * b3;
  }
  vstore4(s0, 0, c + y * n + x);
  vstore4(s1, 0, c + (y + 1) * n + x);
  vstore4(s2, 0, c + (y + 2) * n + x);
  vstore4(s3, 0, c + (y + 3) * n + x);
}
