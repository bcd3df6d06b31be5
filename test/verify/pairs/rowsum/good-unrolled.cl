// expect: held
// why: unrolled, same order
// launch: {"kernel": "rowsum_4", "global": ["gx"]}
__kernel void rowsum_4(__global const float *a, __global float *out, int w) {
  int y = get_global_id(0);
  float total = 0.0f;
  int x = 0;
  for (; x + 4 <= w; x += 4) {
    float4 v = vload4(0, a + y * w + x);
    total += v.x * v.x;
    total += v.y * v.y;
    total += v.z * v.z;
    total += v.w * v.w;
  }
  for (; x < w; ++x)
    total += a[y * w + x] * a[y * w + x];
  out[y] = total;
}
