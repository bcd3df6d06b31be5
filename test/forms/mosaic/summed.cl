__kernel void mosaic(__global const uchar *rgb, __global uchar *raw, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) {
    int i = y * width + x;
    raw[i] = rgb[3 * i + (x % 2) + (y % 2)];
  }
}
