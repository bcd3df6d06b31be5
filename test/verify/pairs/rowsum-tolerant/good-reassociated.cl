// expect: held
// why: four partial sums within the tolerance
// launch: {"kernel": "rowsum_4", "global": ["gx"]}
__kernel void rowsum_4(__global const float *a, __global float *out, int w) {
  int y = get_global_id(0);
  float4 sum = 0.0f;
  int x = 0;
  for (; x + 4 <= w; x += 4) {
    float4 v = vload4(0, a + y * w + x);
    sum += v * v;
  }
  float total = (sum.x + sum.y) + (sum.z + sum.w);
  for (; x < w; ++x)
    total += a[y * w + x] * a[y * w + x];
  out[y] = total;
}
