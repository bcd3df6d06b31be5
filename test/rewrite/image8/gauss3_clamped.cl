// expect: held passes=vectorize
// A 3x3 binomial from a constant table, coordinates clamped at the edges.
__constant int weight[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
__kernel void gauss3_clamped(__global const uchar *src, __global uchar *dst, int cols, int rows) {
  int c = get_global_id(0);
  int r = get_global_id(1);
  if (c >= cols || r >= rows)
    return;
  int acc = 0;
  for (int dr = -1; dr <= 1; ++dr) {
    int rr = clamp(r + dr, 0, rows - 1);
    for (int dc = -1; dc <= 1; ++dc) {
      int cc = clamp(c + dc, 0, cols - 1);
      acc += weight[(dr + 1) * 3 + dc + 1] * src[rr * cols + cc];
    }
  }
  dst[r * cols + c] = acc >> 4;
}
