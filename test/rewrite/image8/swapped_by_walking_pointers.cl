// expect: held passes=vectorize device=mali-bifrost
// Pointers that walk over the bytes of one pixel, from an unsigned offset.
__kernel void swapped_by_walking_pointers(__global const uchar *src, __global uchar *dst, int n) {
  uint i = get_global_id(0);
  if (i < (uint)n) {
    __global const uchar *p = src + 3 * i;
    __global uchar *q = dst + 3 * i;
    *q++ = p[2];
    *q++ = p[1];
    *q++ = p[0];
  }
}
