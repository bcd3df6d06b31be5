// expect: held passes=vectorize device=mali-bifrost
// Compares a pattern at each position; the counter is read after the loop.
__kernel void pattern_at(__global const uchar *text, __constant uchar *pat, __global uchar *hit, int n, int m) {
  int i = get_global_id(0);
  if (i > n - m) return;
  int k;
  for (k = 0; k < m; ++k)
    if (text[i + k] != pat[k])
      break;
  hit[i] = (k == m);
}
