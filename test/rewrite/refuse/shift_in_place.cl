// expect: refused racy-original
// Everything moves down by one, in place.
__kernel void shift_in_place(__global int *v, uint n) {
  uint i = get_global_id(0);
  if (i + 1 < n)
    v[i] = v[i + 1];
}
