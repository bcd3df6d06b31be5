static uchar luma(uchar r, uchar g, uchar b) {
  uint sum = r * 77u;
  sum += g * 150u;
  sum += b * 29u;
  return convert_uchar(sum / 256u);
}

__kernel void grey(__global const uchar *rgb, __global uchar *out, int width, int height) {
  int i = get_global_id(1) * width + get_global_id(0);
  if (get_global_id(0) < width && get_global_id(1) < height)
    out[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}
