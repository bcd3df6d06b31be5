// expect: refuted
// why: loops of 1,000 terms
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = 0; j < k - (k == 1000); ++j)
    sum += a[y * k + j];
  s[y] = sum;
}
