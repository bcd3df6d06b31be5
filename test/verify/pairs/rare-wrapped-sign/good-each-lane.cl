// expect: held
// why: each lane tests its own product
// launch: {"kernel": "hash_v8", "when": "gx >= 8", "global": ["gx / 8"]}
// launch: {"kernel": "hash", "when": "gx % 8 != 0", "global": ["gx % 8"], "offset": ["gx - gx % 8"]}
__kernel void hash(__global const short *x, __global short *y) {
  uint i = get_global_id(0);
  int h = (int)(i * 700001u);
  y[i] = h < 0 ? x[i] : x[i] - 7;
}
__kernel void hash_v8(__global const short *x, __global short *y) {
  uint i = get_global_id(0);
  short8 v = vload8(i, x);
  int8 h = as_int8((uint8)(8 * i) * 700001u + (uint8)(0, 1, 2, 3, 4, 5, 6, 7) * 700001u);
  vstore8(select(v - (short8)7, v, convert_short8(h < 0)), i, y);
}
