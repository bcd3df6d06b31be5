__kernel void average(__global const uchar *a, __global const uchar *b, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = (3 * a[i] + 5 * b[i] + 4) >> 3;
}
