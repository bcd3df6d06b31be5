// expect: refuted
// why: levels that are one apart
// launch: {"kernel": "levels", "global": ["gx"]}
__kernel void levels(__global const uint *x, __global uint *y, int low, int high, uint shift, int n) {
  int i = get_global_id(0);
  y[i] = (x[i] >> shift) + (low + 1 == high ? 2u : (uint)(high - low));
}
