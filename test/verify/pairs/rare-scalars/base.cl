__kernel void levels(__global const uint *x, __global uint *y, int low, int high, uint shift, int n) {
  int i = get_global_id(0);
  y[i] = (x[i] >> shift) + (uint)(high - low);
}
