// expect: held
// why: the sign is that of the whole block
// launch: {"kernel": "part_v4", "when": "gx >= 4", "global": ["gx / 4"]}
// launch: {"kernel": "part", "when": "gx % 4 != 0", "global": ["gx % 4"], "offset": ["gx - gx % 4"]}
__kernel void part(__global const float *x, __global float *y) {
  uint i = get_global_id(0);
  if ((int)(i << 17) < 0)
    return;
  y[i] = x[i] * 3.0f;
}
__kernel void part_v4(__global const float *x, __global float *y) {
  uint i = get_global_id(0);
  if ((int)(i << 19) < 0)
    return;
  vstore4(vload4(i, x) * 3.0f, i, y);
}
