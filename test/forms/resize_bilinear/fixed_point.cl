__kernel void resize(__global const uchar *in, __global uchar *out, int w, int h, int ow) {
  int x = get_global_id(0), y = get_global_id(1);
  int fx = x * 32768, fy = y * 32768;
  int x0 = fx >> 16, y0 = fy >> 16;
  int ax = (fx >> 8) & 255, ay = (fy >> 8) & 255;
  int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  int top = in[y0 * w + x0] * (256 - ax) + in[y0 * w + x1] * ax;
  int bottom = in[y1 * w + x0] * (256 - ax) + in[y1 * w + x1] * ax;
  out[y * ow + x] = (top * (256 - ay) + bottom * ay) >> 16;
}
