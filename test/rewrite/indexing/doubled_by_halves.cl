// expect: held passes=vectorize
// expect: held passes=vectorize device=mali-midgard
// Two neighbours read one element: no block of more than two lies within one.
__kernel void doubled_by_halves(__global const float *small, __global float *large, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= 2 * w || y >= 2 * h)
    return;
  large[y * 2 * w + x] = small[y / 2 * w + x / 2];
}
