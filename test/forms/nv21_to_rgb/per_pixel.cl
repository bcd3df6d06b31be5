__kernel void convert(__global const uchar *luma, __global const uchar *chroma, __global uchar *rgba, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int l = luma[y * w + x];
  int at = (y / 2) * w + (x & ~1);
  int v = chroma[at] - 128, u = chroma[at + 1] - 128;
  int r = l + ((359 * v) >> 8);
  int g = l - ((88 * u + 183 * v) >> 8);
  int b = l + ((454 * u) >> 8);
  int o = 4 * (y * w + x);
  rgba[o] = clamp(r, 0, 255);
  rgba[o + 1] = clamp(g, 0, 255);
  rgba[o + 2] = clamp(b, 0, 255);
  rgba[o + 3] = 255;
}
