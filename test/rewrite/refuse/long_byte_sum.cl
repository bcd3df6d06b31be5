// expect: refused narrowing-overflow run=narrow
// A sum of thousands of bytes does not fit 16 bits.
__kernel void long_byte_sum(__global const uchar *img, __global int *sum, int width) {
  int y = get_global_id(0);
  int s = 0;
  for (int x = 0; x < width; x++)
    s += img[y * width + x];
  sum[y] = s;
}
