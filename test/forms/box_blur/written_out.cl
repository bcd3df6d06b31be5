#define PIXEL(x, y) (src + 4 * ((y) * w + (x)))

__kernel void blur(__global const uchar *restrict src, __global uchar *restrict dst, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int l = x > 0 ? x - 1 : 0, r = x < w - 1 ? x + 1 : w - 1;
  int t = y > 0 ? y - 1 : 0, b = y < h - 1 ? y + 1 : h - 1;
  __global const uchar *p0 = PIXEL(l, t), *p1 = PIXEL(x, t), *p2 = PIXEL(r, t);
  __global const uchar *p3 = PIXEL(l, y), *p4 = PIXEL(x, y), *p5 = PIXEL(r, y);
  __global const uchar *p6 = PIXEL(l, b), *p7 = PIXEL(x, b), *p8 = PIXEL(r, b);
  __global uchar *o = dst + 4 * (y * w + x);
  o[0] = (p0[0] + p1[0] + p2[0] + p3[0] + p4[0] + p5[0] + p6[0] + p7[0] + p8[0]) / 9;
  o[1] = (p0[1] + p1[1] + p2[1] + p3[1] + p4[1] + p5[1] + p6[1] + p7[1] + p8[1]) / 9;
  o[2] = (p0[2] + p1[2] + p2[2] + p3[2] + p4[2] + p5[2] + p6[2] + p7[2] + p8[2]) / 9;
  o[3] = (p0[3] + p1[3] + p2[3] + p3[3] + p4[3] + p5[3] + p6[3] + p7[3] + p8[3]) / 9;
}
