// expect: held
// Sum of each row of bytes by one item.
__kernel void row_sums(__global const uchar *img, __global uint *sums, int width, int height) {
  int y = get_global_id(0);
  if (y < height) {
    uint s = 0;
    for (int x = 0; x < width; x++)
      s += img[y * width + x];
    sums[y] = s;
  }
}
