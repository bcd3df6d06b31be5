// expect: refuted
// why: divided as a double, which has 53 bits
// launch: {"kernel": "mix_", "global": ["gx"]}
__kernel void mix_(__global const uchar *a, __global const uchar *b, __global const ulong *c, __global uchar *d,
                   __global ulong *e) {
  int i = get_global_id(0);
  d[i] = add_sat(a[i], b[i]);
  e[i] = (c[i] < (1ul << 53) ? c[i] / 3 : (ulong)(c[i] / 3.0));
}
