// expect: refuted
// why: equal levels
// launch: {"kernel": "levels", "global": ["gx"]}
__kernel void levels(__global const uint *x, __global uint *y, int low, int high, uint shift, int n) {
  int i = get_global_id(0);
  y[i] = (x[i] >> shift) + (low == high ? 1u : (uint)(high - low));
}
