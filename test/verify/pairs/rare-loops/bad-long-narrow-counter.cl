// expect: refuted
// why: a counter of 8 bits beyond 200 terms
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = 0; j < k; ++j)
    sum += a[y * k + (k > 200 && j > 255 ? (j & 255) : j)];
  s[y] = sum;
}
