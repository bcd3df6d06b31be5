__kernel void blur(__global const uchar *src, __global uchar *dst, int w, int h) {
  const uint column = get_global_id(0), line = get_global_id(1);
  uint r = 0, g = 0, b = 0, a = 0;
  for (int k = 0; k < 9; ++k) {
    int sy = min(max((int)line + k / 3 - 1, 0), h - 1);
    int sx = min(max((int)column + k % 3 - 1, 0), w - 1);
    int at = (sy * w + sx) << 2;
    r += src[at];
    g += src[at + 1];
    b += src[at + 2];
    a += src[at + 3];
  }
  uint out = (line * w + column) * 4u;
  dst[out + 0] = r / 9u;
  dst[out + 1] = g / 9u;
  dst[out + 2] = b / 9u;
  dst[out + 3] = a / 9u;
}
