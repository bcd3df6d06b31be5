// block: 4
// when: n % 4 == 0
// steps: 4
// Four rows share the loads of the vector; the order of each sum is kept.
__kernel void gemv(__global const float *restrict m, __global const float *restrict v, __global float *restrict out,
                   int n) {
  int row = 4 * get_global_id(0);
  float4 sum = 0.0f;
  for (int k = 0; k < n; k += 4) {
    float4 x = vload4(0, v + k);
    float4 a = vload4(0, m + row * n + k), b = vload4(0, m + (row + 1) * n + k);
    float4 c = vload4(0, m + (row + 2) * n + k), d = vload4(0, m + (row + 3) * n + k);
    sum = sum + (float4)(a.x, b.x, c.x, d.x) * x.x;
    sum = sum + (float4)(a.y, b.y, c.y, d.y) * x.y;
    sum = sum + (float4)(a.z, b.z, c.z, d.z) * x.z;
    sum = sum + (float4)(a.w, b.w, c.w, d.w) * x.w;
  }
  vstore4(sum, 0, out + row);
}
