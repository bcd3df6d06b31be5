// expect: held
// Counts of a vector shift are taken modulo 8 in each component.
__kernel void shift_of_each_component(__global const uchar4 *a, __global const uchar4 *b,
                                      __global uchar4 *out) {
  int i = get_global_id(0);
  uchar4 x = a[i], y = b[i];
  out[i] = x << y;
}
