// expect: any
// Vectors of bytes wrap as bytes: the sum of two pixels is no int.
__kernel void uchar4_average_rounding(__global const uchar4 *a, __global const uchar4 *b, __global uchar4 *out) {
  int i = get_global_id(0);
  uchar4 sum = a[i] + b[i];
  out[i] = (sum >> (uchar4)(1)) + rhadd(a[i], b[i]);
}
