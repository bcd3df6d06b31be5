// expect: held passes=vectorize
// Vertical pass of a separable 5-tap filter: 16-bit sums to bytes, rows clamped.
__kernel void separable_columns(__global const ushort *mid, __global uchar *dst, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int ym2 = y - 2 < 0 ? 0 : y - 2;
  int ym1 = y - 1 < 0 ? 0 : y - 1;
  int yp1 = y + 1 > height - 1 ? height - 1 : y + 1;
  int yp2 = y + 2 > height - 1 ? height - 1 : y + 2;
  uint s = mid[ym2 * width + x] + 4 * mid[ym1 * width + x] + 6 * mid[y * width + x] + 4 * mid[yp1 * width + x] +
           mid[yp2 * width + x];
  dst[y * width + x] = s >> 8;
}
