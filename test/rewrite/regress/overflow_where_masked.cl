// expect: any
// Lanes that skip the branch would overflow an int there: lane 0 does not tell what lane 8 has.
__kernel void overflow_where_masked(__global const long *a, __global long *out) {
  int i = get_global_id(0);
  int m = i & 15;
  long v = a[i];
  if (m >= 8) {
    long k = (long)(2147483640 + (15 - m));
    v = v + k;
  }
  out[i] = v;
}
