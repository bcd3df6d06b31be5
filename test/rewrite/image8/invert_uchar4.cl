// expect: held passes=vectorize
// Pixels as uchar4: colours inverted, alpha kept.
__kernel void invert_uchar4(__global const uchar4 *src, __global uchar4 *dst, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  uchar4 p = src[y * width + x];
  dst[y * width + x] = (uchar4)(255 - p.x, 255 - p.y, 255 - p.z, p.w);
}
