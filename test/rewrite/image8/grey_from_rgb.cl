// expect: held passes=vectorize
// Interleaved RGB to grey with 8-bit weights.
__kernel void grey_from_rgb(__global const uchar *rgb, __global uchar *grey, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int p = y * width + x;
  int r = rgb[3 * p + 0];
  int g = rgb[3 * p + 1];
  int b = rgb[3 * p + 2];
  grey[p] = (uchar)((77 * r + 150 * g + 29 * b + 128) >> 8);
}
