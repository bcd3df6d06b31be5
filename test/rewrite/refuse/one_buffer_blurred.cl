// expect: refused aliasing|cross-item-dependence
// Filter and output are the same memory at this launch.
__kernel void one_buffer_blurred(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < w - 1 && y < h)
    dst[y * w + x] = (src[y * w + x - 1] + 2 * src[y * w + x] + src[y * w + x + 1]) >> 2;
}
