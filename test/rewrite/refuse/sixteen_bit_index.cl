// expect: refused index-overflow|cross-item-dependence
// The index is kept in 16 bits: it wraps at 65536.
__kernel void sixteen_bit_index(__global const uchar *in, __global uchar *out) {
  ushort i = get_global_id(0);
  out[i] = in[i] + 1;
}
