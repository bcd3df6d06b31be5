// expect: held
// why: the lanes share an element from 3 up to 31
// launch: {"kernel": "spread_v8", "when": "gx >= 8", "global": ["gx / 8"]}
// launch: {"kernel": "spread", "when": "gx % 8 != 0", "global": ["gx % 8"], "offset": ["gx - gx % 8"]}
__kernel void spread(__global const float *x, __global float *y, int shift) {
  int i = get_global_id(0);
  y[i] = x[i >> shift] + 1.0f;
}
__kernel void spread_v8(__global const float *x, __global float *y, int shift) {
  int i = 8 * get_global_id(0);
  if (shift >= 3 && shift < 32) {
    vstore8((float8)(x[i >> shift] + 1.0f), 0, y + i);
  } else {
    for (int k = 0; k < 8; ++k)
      y[i + k] = x[(i + k) >> shift] + 1.0f;
  }
}
