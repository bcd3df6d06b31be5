// expect: refused narrowing-overflow run=narrow
// Products of two 16-bit values, high half kept.
__kernel void product_of_shorts(__global const short *a, __global const short *b, __global short *c) {
  int i = get_global_id(0);
  int p = a[i] * b[i];
  c[i] = p >> 16;
}
