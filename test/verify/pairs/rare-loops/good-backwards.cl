// expect: held
// why: the terms from the last one
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = k - 1; j >= 0; --j)
    sum += a[y * k + j];
  s[y] = sum;
}
