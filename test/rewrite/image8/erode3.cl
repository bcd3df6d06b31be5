// expect: held passes=vectorize
// expect: held passes=vectorize:8,coarsen:3 device=mali-bifrost run=use-builtins,vectorize:8,coarsen:3,merge-loads,swap-dimensions
// Minimum of 3x3, dimension 0 the row, guard inverted. Three rows fit the registers of all threads, four do not.
__kernel void erode3(__global const uchar *a, __global uchar *b, int rows, int cols) {
  int r = get_global_id(0);
  int c = get_global_id(1);
  if (!(r >= 1 && r < rows - 1 && c >= 1 && c < cols - 1)) {
    b[r * cols + c] = a[r * cols + c];
  } else {
    uchar m = 255;
    for (int i = r - 1; i <= r + 1; i++)
      for (int j = c - 1; j <= c + 1; j++)
        if (a[i * cols + j] < m)
          m = a[i * cols + j];
    b[r * cols + c] = m;
  }
}
