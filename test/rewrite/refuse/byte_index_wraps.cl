// expect: refused index-overflow|cross-item-dependence
// An index in a byte: every 256th item meets the same element.
__kernel void byte_index_wraps(__global const int *in, __global int *out) {
  uchar i = get_global_id(0);
  out[i] = in[i] * 2;
}
