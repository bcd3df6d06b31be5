__kernel void resize(__global const uchar *restrict in, __global uchar *restrict out, int w, int h, int ow) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int x0 = x / 2, y0 = y / 2;
  int ax = x % 2 ? 128 : 0, ay = y % 2 ? 128 : 0;
  int x1 = x0 + 1 < w ? x0 + 1 : w - 1;
  int y1 = y0 + 1 < h ? y0 + 1 : h - 1;
  __global const uchar *t = in + y0 * w, *b = in + y1 * w;
  int top = t[x0] * (256 - ax) + t[x1] * ax;
  int bottom = b[x0] * (256 - ax) + b[x1] * ax;
  out[y * ow + x] = (uchar)((top * (256 - ay) + bottom * ay) / 65536);
}
