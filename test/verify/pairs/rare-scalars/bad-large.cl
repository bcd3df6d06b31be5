// expect: refuted
// why: a level above 50,000
// launch: {"kernel": "levels", "global": ["gx"]}
__kernel void levels(__global const uint *x, __global uint *y, int low, int high, uint shift, int n) {
  int i = get_global_id(0);
  y[i] = (x[i] >> shift) + (low > 50000 ? (uint)(ushort)(high - low) : (uint)(high - low));
}
