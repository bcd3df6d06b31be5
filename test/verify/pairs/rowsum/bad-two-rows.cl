// expect: refuted
// why: two rows for each work-item, and an odd last row strays
// launch: {"kernel": "rowsum_2", "global": ["(gx + 1) / 2"]}
__kernel void rowsum_2(__global const float *a, __global float *out, int w) {
  int y = get_global_id(0) * 2;
  float s0 = 0.0f, s1 = 0.0f;
  for (int x = 0; x < w; ++x) {
    s0 += a[y * w + x] * a[y * w + x];
    s1 += a[(y + 1) * w + x] * a[(y + 1) * w + x];
  }
  out[y] = s0;
  out[y + 1] = s1;
}
