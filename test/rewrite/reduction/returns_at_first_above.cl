// expect: held passes=vectorize device=mali-bifrost
// As the walk down a column that leaves at the first element above a threshold, by a return.
__kernel void returns_at_first_above(__global const float *m, __global int *where, float thr, int rows, int cols) {
  int c = get_global_id(0);
  if (c >= cols) return;
  for (int r = 0; r < rows; ++r) {
    if (m[r * cols + c] > thr) {
      where[c] = r;
      return;
    }
  }
  where[c] = -1;
}
