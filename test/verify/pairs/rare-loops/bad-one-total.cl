// expect: not-held
// why: a total that is one number, above those of short loops
// launch: {"kernel": "total", "global": ["gx"]}
__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = 0; j < k; ++j)
    sum += a[y * k + j];
  s[y] = sum + (sum % 4093u == 3001u && sum > 9000u);
}
