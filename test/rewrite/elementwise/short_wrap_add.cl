// expect: held passes=vectorize
// Sums of shorts that wrap: the addition is done in int, the store cuts.
__kernel void short_wrap_add(__global short *c, __global const short *a, __global const short *b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  c[i] = a[i] + b[i];
}
