// conversions by hand: the built-in that saturates.
// items: 1
__kernel void conversions_hand(__global const int *restrict in, __global uchar *restrict out) {
  int i = get_global_id(0);
  out[i] = convert_uchar_sat(in[i]);
}
