// expect: held passes=vectorize
// Rounded mean of two 16-bit images, two-dimensional launch, row pitch from get_global_size.
__kernel void ushort_average(__global ushort *dst, __global const ushort *a, __global const ushort *b) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int at = y * get_global_size(0) + x;
  dst[at] = (a[at] + b[at] + 1) >> 1;
}
