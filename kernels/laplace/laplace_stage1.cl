// Comparison form: the talk's stage 1, five pixels as one vector of int. Written anew and
// put right: the centre counts +9, each result goes to its own pixel, the border is copied, nothing
// is read or written outside the image. Work-item (row, group) makes 5 neighbouring pixels.
// items: 5

// One pixel, for the border and for groups that do not fill up.
static void onePixel(__global uchar *pdst, __global const uchar *psrc, int x, int y, int w, int h) {
  for (int c = 0; c < 3; ++c) {
    int ind = 3 * (x + w * y) + c;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) {
      pdst[ind] = psrc[ind];
      continue;
    }
    int sum = 10 * psrc[ind];
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -3; dx <= 3; dx += 3)
        sum -= psrc[ind + 3 * w * dy + dx];
    pdst[ind] = (uchar)clamp(sum, 0, 255);
  }
}

__kernel void laplace_stage1(__global uchar *pdst, __global const uchar *psrc, int width, int height) {
  int y = get_global_id(0);
  int x = get_global_id(1) * 5;
  int w = width;
  int h = height;

  // The whole group inside the border, and its widest load inside the image?
  if (y < 1 || y >= h - 1 || x < 1 || x + 5 + 1 > w - 1) {
#ifndef WHOLE_BLOCKS
    for (int i = 0; i < 5 && x + i < w; ++i)
      onePixel(pdst, psrc, x + i, y, w, h);
#endif
    return;
  }

  int ind = 3 * (x + w * y);
  int up = ind - 3 * w - 3;
  int mid = ind - 3;
  int down = ind + 3 * w - 3;
  uchar16 row1a = vload16(0, psrc + up);
  uchar16 row1b = vload16(0, psrc + up + 3);
  uchar16 row1c = vload16(0, psrc + up + 6);
  uchar16 row2a = vload16(0, psrc + mid);
  uchar16 row2b = vload16(0, psrc + mid + 3);
  uchar16 row2c = vload16(0, psrc + mid + 6);
  uchar16 row3a = vload16(0, psrc + down);
  uchar16 row3b = vload16(0, psrc + down + 3);
  uchar16 row3c = vload16(0, psrc + down + 6);

  int16 sum = (int)0 - convert_int16(row1a) - convert_int16(row1b) - convert_int16(row1c)
               - convert_int16(row2a) + convert_int16(row2b) * (int)9 - convert_int16(row2c)
               - convert_int16(row3a) - convert_int16(row3b) - convert_int16(row3c);
  uchar16 result = convert_uchar16(clamp(sum, (int)0, (int)255));

  vstore8(result.lo, 0, pdst + ind);
  vstore4(result.s89ab, 0, pdst + ind + 8);
  vstore2(result.scd, 0, pdst + ind + 12);
  pdst[ind + 14] = result.se;
}
