// Comparison form: the talk's stage 5, eight pixels from two loads for each row. Written anew and
// put right: the centre counts +9, each result goes to its own pixel, the border is copied, nothing
// is read or written outside the image. Work-item (row, group) makes 8 neighbouring pixels.
// items: 8

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

__kernel void laplace_stage5(__global uchar *pdst, __global const uchar *psrc, int width, int height) {
  int y = get_global_id(0);
  int x = get_global_id(1) * 8;
  int w = width;
  int h = height;

  // The whole group inside the border?
  if (y < 1 || y >= h - 1 || x < 1 || x + 8 > w - 1) {
#ifndef WHOLE_BLOCKS
    for (int i = 0; i < 8 && x + i < w; ++i)
      onePixel(pdst, psrc, x + i, y, w, h);
#endif
    return;
  }

  int ind = 3 * (x + w * y);
  int up = ind - 3 * w - 3;
  int mid = ind - 3;
  int down = ind + 3 * w - 3;

  uchar16 l_0 = vload16(0, psrc + up);
  uchar16 r_0 = vload16(0, psrc + up + 14);
  short16 a_xy_0 = convert_short16(l_0);
  short16 b_xy_0 = convert_short16((uchar16)(l_0.s3456789a, l_0.sbcde, r_0.s1234));
  short16 c_xy_0 = convert_short16((uchar16)(l_0.s6789abcd, r_0.s01234567));
  short8 a_z_0 = convert_short8(r_0.s23456789);
  short8 b_z_0 = convert_short8(r_0.s56789abc);
  short8 c_z_0 = convert_short8(r_0.s89abcdef);
  short16 acc_xy = -a_xy_0 - b_xy_0 - c_xy_0;
  short8 acc_z = -a_z_0 - b_z_0 - c_z_0;

  uchar16 l_1 = vload16(0, psrc + mid);
  uchar16 r_1 = vload16(0, psrc + mid + 14);
  short16 a_xy_1 = convert_short16(l_1);
  short16 b_xy_1 = convert_short16((uchar16)(l_1.s3456789a, l_1.sbcde, r_1.s1234));
  short16 c_xy_1 = convert_short16((uchar16)(l_1.s6789abcd, r_1.s01234567));
  short8 a_z_1 = convert_short8(r_1.s23456789);
  short8 b_z_1 = convert_short8(r_1.s56789abc);
  short8 c_z_1 = convert_short8(r_1.s89abcdef);
  acc_xy += b_xy_1 * (short)9 - a_xy_1 - c_xy_1;
  acc_z += b_z_1 * (short)9 - a_z_1 - c_z_1;

  uchar16 l_2 = vload16(0, psrc + down);
  uchar16 r_2 = vload16(0, psrc + down + 14);
  short16 a_xy_2 = convert_short16(l_2);
  short16 b_xy_2 = convert_short16((uchar16)(l_2.s3456789a, l_2.sbcde, r_2.s1234));
  short16 c_xy_2 = convert_short16((uchar16)(l_2.s6789abcd, r_2.s01234567));
  short8 a_z_2 = convert_short8(r_2.s23456789);
  short8 b_z_2 = convert_short8(r_2.s56789abc);
  short8 c_z_2 = convert_short8(r_2.s89abcdef);
  acc_xy -= a_xy_2 + b_xy_2 + c_xy_2;
  acc_z -= a_z_2 + b_z_2 + c_z_2;

  vstore16(convert_uchar16(clamp(acc_xy, (short)0, (short)255)), 0, pdst + ind);
  vstore8(convert_uchar8(clamp(acc_z, (short)0, (short)255)), 0, pdst + ind + 16);
}
