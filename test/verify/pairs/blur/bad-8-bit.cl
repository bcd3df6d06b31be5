// expect: refuted
// why: sums in 8 bits
// launch: {"kernel": "blur_v8", "global": ["(gx + 7) / 8", "gy"]}
uchar one(__global const uchar *src, int x, int y, int w, int h) {
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
    return src[y * w + x];
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += src[(y + dy) * w + x + dx];
  return (uchar)(sum / 9);
}
uchar8 row(__global const uchar *p) {
  return vload8(0, p - 1) + vload8(0, p) + vload8(0, p + 1);
}
__kernel void blur_v8(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(0) * 8, y = get_global_id(1);
  if (x == 0 || x + 8 >= w || y == 0 || y == h - 1) {
    for (int i = x; i < x + 8 && i < w; ++i)
      dst[y * w + i] = one(src, i, y, w, h);
    return;
  }
  __global const uchar *p = src + y * w + x;
  uchar8 sum = row(p - w) + row(p) + row(p + w);
  vstore8(convert_uchar8(sum / (uchar)9), 0, dst + y * w + x);
}
