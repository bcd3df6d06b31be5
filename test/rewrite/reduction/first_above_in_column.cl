// expect: held passes=vectorize device=mali-bifrost
// Each work-item walks down its column and leaves at the first element above a threshold.
__kernel void first_above_in_column(__global const float *m, __global int *where, float thr, int rows, int cols) {
  int c = get_global_id(0);
  if (c >= cols) return;
  int found = -1;
  for (int r = 0; r < rows; ++r) {
    if (m[r * cols + c] > thr) {
      found = r;
      break;
    }
  }
  where[c] = found;
}
