// Comparison form by hand: 16 bytes of 4 rows for each work-item, dimension 0 along the row. The
// image is a plane of bytes whose neighbours stand 3 bytes apart; the 6 rows that 4 results need
// are loaded once each, and so are their sums of three.

typedef short16 acc_t;

static void oneByte(__global uchar *pdst, __global const uchar *psrc, int b, int y, int w, int h) {
  int ind = 3 * w * y + b;
  if (b < 3 || y < 1 || b >= 3 * w - 3 || y >= h - 1) {
    pdst[ind] = psrc[ind];
    return;
  }
  int sum = 10 * psrc[ind];
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -3; dx <= 3; dx += 3)
      sum -= psrc[ind + 3 * w * dy + dx];
  pdst[ind] = (uchar)clamp(sum, 0, 255);
}

__kernel void laplace_4x16(__global uchar *pdst, __global const uchar *psrc, int width, int height) {
  int b = get_global_id(0) * 16;
  int y = get_global_id(1) * 4;
  int pitch = 3 * width;

  if (b < 3 || b + 16 + 3 > pitch || y < 1 || y + 4 > height - 1) {
    for (int r = 0; r < 4 && y + r < height; ++r)
      for (int i = 0; i < 16 && b + i < pitch; ++i)
        oneByte(pdst, psrc, b + i, y + r, width, height);
    return;
  }

  __global const uchar *p = psrc + (y - 1) * pitch + b;
  acc_t centre[6], sum[6];
  for (int r = 0; r < 6; ++r, p += pitch) {
    centre[r] = convert_short16(vload16(0, p));
    sum[r] = convert_short16(vload16(0, p - 3)) + centre[r] + convert_short16(vload16(0, p + 3));
  }
  __global uchar *q = pdst + y * pitch + b;
  for (int r = 1; r < 5; ++r, q += pitch) {
    acc_t res = centre[r] * (short)10 - sum[r - 1] - sum[r] - sum[r + 1];
    vstore16(convert_uchar16(clamp(res, (short)0, (short)255)), 0, q);
  }
}
