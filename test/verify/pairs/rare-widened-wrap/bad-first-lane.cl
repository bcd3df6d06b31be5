// expect: refuted
// why: the lanes go on from the first one, which lies before the wrap
// launch: {"kernel": "near_v8", "when": "gx >= 8", "global": ["gx / 8"]}
// launch: {"kernel": "near", "when": "gx % 8 != 0", "global": ["gx % 8"], "offset": ["gx - gx % 8"]}
__kernel void near(__global float *y) {
  uint i = get_global_id(0);
  ulong far = (ulong)(i - 3003u) + 2ul;
  y[i] = far < 60ul ? 1.0f : 2.0f;
}
__kernel void near_v8(__global float *y) {
  uint i = 8 * get_global_id(0);
  ulong8 far = (ulong8)((ulong)(i - 3003u) + 2ul) + (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
  vstore8(select((float8)2.0f, (float8)1.0f, convert_int8(far < 60ul)), 0, y + i);
}
