// expect: held passes=vectorize
// 64-bit fixed point with an arithmetic shift of a signed value.
__kernel void long_fixed_point(__global const long *in, __global long *out, long k, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = (in[i] >> 3) * k - (in[i] & 7L);
}
