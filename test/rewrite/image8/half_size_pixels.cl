// expect: held passes=vectorize device=mali-bifrost
// The mean of two by two pixels of type uchar4: neighbouring pixels are loaded together.
__kernel void half_size_pixels(__global const uchar4 *src, __global uchar4 *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  __global const uchar4 *p = src + 4 * y * w + 2 * x;
  uint4 sum = convert_uint4(p[0]) + convert_uint4(p[1]) + convert_uint4(p[2 * w]) + convert_uint4(p[2 * w + 1]);
  dst[y * w + x] = convert_uchar4((sum + 2u) >> 2u);
}
