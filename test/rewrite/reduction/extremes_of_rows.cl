// expect: held passes=vectorize
// Smallest and largest of each row's elements above a limit, by one pair of atomics for each.
__kernel void extremes_of_rows(__global const uint *img, __global uint *least, __global uint *most, int w, int h,
                               uint limit) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  uint v = img[y * w + x];
  if (v > limit) {
    atomic_min(&least[y], v);
    atomic_max(&most[y], v);
  }
}
