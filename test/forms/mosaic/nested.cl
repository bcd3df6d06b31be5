// Red at even columns of even rows, blue at odd columns of odd rows, green elsewhere.
static int channel(int x, int y) {
  if ((y & 1) == 0) {
    if ((x & 1) == 0)
      return 0;
    return 1;
  }
  if ((x & 1) == 0)
    return 1;
  return 2;
}

__kernel void mosaic(__global const uchar *rgb, __global uchar *raw, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  raw[y * width + x] = rgb[3 * (y * width + x) + channel(x, y)];
}
