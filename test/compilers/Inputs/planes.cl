static uchar limited(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

__kernel void planes_to_rgb(__global const uchar *luma, __global const uchar *cb, __global const uchar *cr,
                            __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  int half_of_row = (w + 1) / 2, at = y * w + x, of = y / 2 * half_of_row + x / 2;
  int l = luma[at] - 16, u = cb[of] - 128, v = cr[of] - 128;
  out[3 * at] = limited((298 * l + 409 * v + 128) >> 8);
  out[3 * at + 1] = limited((298 * l - 100 * u - 208 * v + 128) >> 8);
  out[3 * at + 2] = limited((298 * l + 516 * u + 128) >> 8);
}
