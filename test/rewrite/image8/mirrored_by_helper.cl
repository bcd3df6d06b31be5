// expect: held passes=vectorize
// A 3x3 filter whose coordinates a helper mirrors at the border, with a constant table and a shift as arguments.
inline int mirrored(int i, int n) {
  if (i < 0)
    i = -i;
  if (i >= n)
    i = 2 * n - 2 - i;
  return i;
}

__kernel void mirrored_by_helper(__global const uchar *restrict in, __global uchar *restrict out, __constant int *taps,
                                 int w, int h, int shift) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x < w && y < h) {
    int sum = 0;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        sum += taps[(j + 1) * 3 + i + 1] * in[mirrored(y + j, h) * w + mirrored(x + i, w)];
    sum >>= shift;
    out[y * w + x] = (uchar)clamp(sum, 0, 255);
  }
}
