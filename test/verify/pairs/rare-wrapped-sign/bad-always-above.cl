// expect: refuted
// why: takes the product for one that is never below zero
// launch: {"kernel": "hash_v8", "when": "gx >= 8", "global": ["gx / 8"]}
// launch: {"kernel": "hash", "when": "gx % 8 != 0", "global": ["gx % 8"], "offset": ["gx - gx % 8"]}
__kernel void hash(__global const short *x, __global short *y) {
  uint i = get_global_id(0);
  int h = (int)(i * 700001u);
  y[i] = h < 0 ? x[i] : x[i] - 7;
}
__kernel void hash_v8(__global const short *x, __global short *y) {
  uint i = get_global_id(0);
  vstore8(vload8(i, x) - (short8)7, i, y);
}
