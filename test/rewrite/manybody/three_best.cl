// expect: held passes=vectorize
// The three largest of a column, kept in order in a private array: moved under conditions, set where the data say. A guard leaves items out.
__kernel void three_best(__global const float *in, __global float *out, int m, int n) {
  int g = get_global_id(0);
  if (g >= n)
    return;
  float best[3];
  for (int j = 0; j < 3; ++j)
    best[j] = -1e30f;
  for (int i = 0; i < m; ++i) {
    float v = in[i * n + g];
    int at = 3;
    for (int j = 2; j >= 0; --j)
      if (v > best[j])
        at = j;
    for (int j = 2; j > 0; --j)
      if (j > at)
        best[j] = best[j - 1];
    if (at < 3)
      best[at] = v;
  }
  for (int j = 0; j < 3; ++j)
    out[j * n + g] = best[j];
}
