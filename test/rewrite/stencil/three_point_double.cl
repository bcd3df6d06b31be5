// expect: held passes=vectorize
// One-dimensional relaxation, ping-pong buffers.
__kernel void three_point_double(__global double *restrict to, __global const double *restrict from, int n) {
  const int i = get_global_id(0);
  if (i > 0 && i < n - 1)
    to[i] = 0.33333 * (from[i - 1] + from[i] + from[i + 1]);
}
