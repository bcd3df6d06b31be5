// expect: held passes=merge-loads device=mali-bifrost
// A private array of vectors, of which components are set one by one.
__kernel void vector_sums(__global const float4 *restrict a, __global const float *restrict b, __global float4 *restrict c, int n, int w) {
  int x = get_global_id(0), y = get_global_id(1) * 4;
  float4 sums[4];
  for (int j = 0; j < 4; ++j) {
    sums[j].xy = (float2)(0.0f);
    sums[j].zw = (float2)(1.0f);
  }
  for (int k = 0; k < n; ++k) {
    float4 v = a[k * w + x];
    for (int j = 0; j < 4; ++j)
      sums[j] += v * b[(y + j) * n + k];
  }
  for (int j = 0; j < 4; ++j)
    c[(y + j) * w + x] = sums[j];
}
