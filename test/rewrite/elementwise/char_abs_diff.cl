// expect: held passes=vectorize
// Absolute differences of signed bytes, by a ternary.
__kernel void char_abs_diff(__global const char *p, __global const char *q, __global uchar *d, int len) {
  int i = get_global_id(0);
  if (i < len) {
    int diff = p[i] - q[i];
    d[i] = diff < 0 ? -diff : diff;
  }
}
