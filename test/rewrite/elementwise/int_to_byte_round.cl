// expect: held passes=vectorize
// Integers through float to bytes, rounded to even and saturated by the conversion.
__kernel void int_to_byte_round(__global const int *restrict in, __global uchar *restrict out, float scale) {
  const size_t i = get_global_id(0);
  out[i] = convert_uchar_sat_rte((float)in[i] * scale);
}
