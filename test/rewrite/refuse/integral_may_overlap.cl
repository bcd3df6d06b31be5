// expect: refused aliasing device=mali-bifrost
// Bytes may be those of the sums that are stored: with restrict, loads would be vectors.
__kernel void integral_may_overlap(__global const uchar *img, __global uint *sums, int w, int h) {
  int row = get_global_id(0);
  if (row >= h)
    return;
  uint sum = 0;
  for (int i = 0; i < w; ++i) {
    sum += img[row * w + i];
    sums[row * w + i] = sum;
  }
}
