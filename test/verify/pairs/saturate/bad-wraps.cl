// expect: refuted
// why: wraps where it should saturate
// launch: {"kernel": "saturate_v2", "when": "gx > 1", "global": ["gx / 2"]}
// launch: {"kernel": "saturate", "when": "gx % 2 == 1", "global": ["1"], "offset": ["gx - 1"]}
__kernel void saturate_v2(__global const long *x, __global const long *w, __global long *y,
                          __global const ulong *u, __global ulong *v) {
  int i = get_global_id(0);
  vstore2(mad_sat(vload2(i, x), vload2(i, w), vload2(i, x)), i, y);
  vstore2(vload2(i, u) * 3ul + vload2(i, u), i, v);
}
__kernel void saturate(__global const long *x, __global const long *w, __global long *y,
                       __global const ulong *u, __global ulong *v) {
  int i = get_global_id(0);
  y[i] = mad_sat(x[i], w[i], x[i]);
  v[i] = mad_sat(u[i], 3ul, u[i]);
}
