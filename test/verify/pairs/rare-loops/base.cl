__kernel void total(__global const uchar *a, __global uint *s, int k) {
  int y = get_global_id(0);
  uint sum = 0;
  for (int j = 0; j < k; ++j)
    sum += a[y * k + j];
  s[y] = sum;
}
