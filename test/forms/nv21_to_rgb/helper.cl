static uchar limit(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

__kernel void convert(__global const uchar *luma, __global const uchar *chroma, __global uchar *rgba, int w) {
  const int column = get_global_id(0), line = get_global_id(1);
  __global const uchar *vu = chroma + line / 2 * w + column / 2 * 2;
  __global uchar *out = rgba + (line * w + column) * 4;
  const int l = luma[line * w + column], v = vu[0] - 128, u = vu[1] - 128;
  *out++ = limit(l + (359 * v >> 8));
  *out++ = limit(l - (88 * u + 183 * v >> 8));
  *out++ = limit(l + (454 * u >> 8));
  *out = 255;
}
