// expect: refuted
// why: a sum of 16 bits, which passes them above 257 terms
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  ushort sum = 0;
  for (int j = 0; j < k; ++j)
    sum += a[y * k + j];
  s[y] = sum;
}
