// expect: refuted
// why: a multiplier that is right below 2^63 alone
// launch: {"kernel": "mix_", "global": ["gx"]}
__kernel void mix_(__global const uchar *a, __global const uchar *b, __global const ulong *c, __global uchar *d,
                   __global ulong *e) {
  int i = get_global_id(0);
  d[i] = add_sat(a[i], b[i]);
  e[i] = (mul_hi(c[i], 0x5555555555555556ul));
}
