// expect: refuted
// why: loops beyond 6,000 terms
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = 0; j < (k > 6000 ? 6000 : k); ++j)
    sum += a[y * k + j];
  s[y] = sum;
}
