// expect: refuted
// why: a byte that is one more than its neighbour, three times
// launch: {"kernel": "mix_", "global": ["gx"]}
__kernel void mix_(__global const uchar *a, __global const uchar *b, __global const ulong *c, __global uchar *d,
                   __global ulong *e) {
  int i = get_global_id(0);
  d[i] = add_sat(a[i], b[i]) - (i > 2 && a[i] == a[i - 1] + 1 && a[i - 1] == a[i - 2] + 1 && a[i - 2] == a[i - 3] + 1);
  e[i] = c[i] / 3;
}
