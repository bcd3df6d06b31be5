// expect: held passes=merge-loads device=mali-bifrost
// The loop counts the argument down and both pointers walk.
__kernel void row_dot_counts_argument(__global const char *m, __global const char *v, __global int *out, int n) {
  int s = 0;
  __global const char *row = m + get_global_id(0) * n;
  while (n-- > 0)
    s += *row++ * *v++;
  out[get_global_id(0)] = s;
}
