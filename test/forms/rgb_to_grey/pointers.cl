__kernel void grey(__global const uchar *rgb, __global uchar *out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  __global const uchar *p = rgb + 3 * (y * width + x);
  out[y * width + x] = (uchar)((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
}
