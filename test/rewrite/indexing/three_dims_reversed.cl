// expect: held passes=vectorize
// Three dimensions, the last one along memory.
__kernel void three_dims_reversed(__global const int *in, __global int *out, int d1, int d2) {
  int i = get_global_id(0);
  int j = get_global_id(1);
  int k = get_global_id(2);
  int at = (i * d1 + j) * d2 + k;
  out[at] = in[at] * 3 - (i + j + k);
}
