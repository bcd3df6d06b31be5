// expect: refuted
// why: a shift by 32 or more, which OpenCL takes modulo the width
// launch: {"kernel": "levels", "global": ["gx"]}
__kernel void levels(__global const uint *x, __global uint *y, int low, int high, uint shift, int n) {
  int i = get_global_id(0);
  y[i] = (shift < 32 ? x[i] >> shift : 0) + (uint)(high - low);
}
