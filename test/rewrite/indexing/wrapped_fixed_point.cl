// expect: any
// The product wraps within a block of work-items: its quotient is not the first one's plus a constant.
__kernel void wrapped_fixed_point(__global const int *a, __global int *out, uint n) {
  uint i = get_global_id(0);
  if (i < n) {
    uint at = i * 786432u;
    out[i] = a[at >> 20] + a[(i & 7) * 6 / 4];
  }
}
