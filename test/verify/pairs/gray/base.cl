__kernel void gray(__global const uchar *rgb, __global uchar *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    out[i] = (uchar)((77 * r + 151 * g + 28 * b) >> 8);
  }
}
