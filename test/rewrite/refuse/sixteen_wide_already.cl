// expect: refused nothing-pays|already-vectorized
// As wide as a vector gets.
__kernel void sixteen_wide_already(__global const float16 *a, __global const float16 *b, __global float16 *c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
