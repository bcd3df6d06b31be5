// expect: held passes=vectorize
// Largest value of each column of 16-bit data, and where it stood.
__kernel void maximum_per_column(__global const short *v, __global short *best, __global int *where, int cols, int rows) {
  int c = get_global_id(0);
  if (c >= cols)
    return;
  short m = v[c];
  int at = 0;
  for (int r = 1; r < rows; r++) {
    short x = v[r * cols + c];
    if (x > m) {
      m = x;
      at = r;
    }
  }
  best[c] = m;
  where[c] = at;
}
