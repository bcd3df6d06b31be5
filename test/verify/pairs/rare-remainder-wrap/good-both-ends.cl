// expect: held
// why: neither the row nor the dividend ends within the block
// launch: {"kernel": "rows_v8", "when": "gx >= 8", "global": ["gx / 8"]}
// launch: {"kernel": "rows", "when": "gx % 8 != 0", "global": ["gx % 8"], "offset": ["gx - gx % 8"]}
__kernel void rows(__global const float *x, __global float *y, uint w) {
  uint i = get_global_id(0);
  y[i] = x[(i - 4004u) % w] - 1.0f;
}
__kernel void rows_v8(__global const float *x, __global float *y, uint w) {
  uint i = 8 * get_global_id(0);
  uint first = (i - 4004u) % w;
  if (first + 7 < w && i - 4004u <= UINT_MAX - 7) {
    vstore8(vload8(0, x + first) - 1.0f, 0, y + i);
  } else {
    for (uint k = 0; k < 8; ++k)
      y[i + k] = x[(i + k - 4004u) % w] - 1.0f;
  }
}
