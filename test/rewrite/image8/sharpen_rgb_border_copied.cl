// expect: held passes=vectorize
// A 3x3 sharpening of interleaved RGB: dimension 0 the column, border copied, channel offsets written out.
__kernel void sharpen_rgb_border_copied(__global const uchar *in, __global uchar *out, const int stride, const int w, const int h) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x < w && y < h) {
    const int o = y * stride + x * 3;
    if (x >= 1 && x <= w - 2 && y >= 1 && y <= h - 2) {
      int b = 5 * in[o] - in[o - 3] - in[o + 3] - in[o - stride] - in[o + stride];
      int g = 5 * in[o + 1] - in[o - 2] - in[o + 4] - in[o + 1 - stride] - in[o + 1 + stride];
      int r = 5 * in[o + 2] - in[o - 1] - in[o + 5] - in[o + 2 - stride] - in[o + 2 + stride];
      out[o] = clamp(b, 0, 255);
      out[o + 1] = clamp(g, 0, 255);
      out[o + 2] = clamp(r, 0, 255);
    } else {
      out[o] = in[o];
      out[o + 1] = in[o + 1];
      out[o + 2] = in[o + 2];
    }
  }
}
