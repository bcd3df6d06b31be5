// expect: held passes=vectorize device=mali-bifrost
// A flag is set where two conditions hold, one of which may be evaluated only after the other.
__kernel void marked_by_two(__global const float *v, __global const int *keep, __global uchar *flags, float t, int n) {
  int i = get_global_id(0);
  if (i < n)
    if (keep[i] && v[i] > t)
      flags[i] = 1;
}
