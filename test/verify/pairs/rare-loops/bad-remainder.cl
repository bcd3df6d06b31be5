// expect: refuted
// why: three terms left of more than 64
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = 0; j < k - (k % 4 == 3 && k > 64); ++j)
    sum += a[y * k + j];
  s[y] = sum;
}
