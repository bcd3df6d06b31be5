// expect: refuted
// why: the smallest level of all
// launch: {"kernel": "levels", "global": ["gx"]}
__kernel void levels(__global const uint *x, __global uint *y, int low, int high, uint shift, int n) {
  int i = get_global_id(0);
  y[i] = (x[i] >> shift) + (low == -2147483647 - 1 ? 0u : (uint)(high - low));
}
