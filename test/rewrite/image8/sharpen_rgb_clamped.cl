// expect: held passes=vectorize
// Cross-shaped sharpening of interleaved RGB, coordinates clamped with min and max, channels in a loop.
__kernel void sharpen_rgb_clamped(__global const uchar *s, __global uchar *d, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    int xl = max(x - 1, 0), xr = min(x + 1, w - 1);
    int yu = max(y - 1, 0), yd = min(y + 1, h - 1);
    for (int c = 0; c < 3; c++) {
      int v = 5 * s[(y * w + x) * 3 + c] - s[(y * w + xl) * 3 + c] - s[(y * w + xr) * 3 + c] - s[(yu * w + x) * 3 + c] -
              s[(yd * w + x) * 3 + c];
      d[(y * w + x) * 3 + c] = (uchar)clamp(v, 0, 255);
    }
  }
}
