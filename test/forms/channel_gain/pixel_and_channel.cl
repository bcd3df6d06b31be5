static int factor(int channel, int r, int g, int b) {
  if (channel == 0)
    return r;
  if (channel == 1)
    return g;
  return b;
}

__kernel void gain(__global const uchar *src, __global uchar *dst, int r, int g, int b, int n) {
  int i = get_global_id(0);
  int pixel = i / 3, channel = i - 3 * pixel;
  if (i < n)
    dst[3 * pixel + channel] = convert_uchar_sat((src[i] * factor(channel, r, g, b)) >> 8);
}
