// expect: held passes=vectorize,narrow device=mali-bifrost
// The levels may be any int: values of one byte are compared in 16 bits with a level that is clamped to -1 .. 256.
__kernel void threshold_any_level(__global const uchar *in, __global uchar *out, int n, int low, int high) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] == low ? 7 : in[i] >= high ? 255 : low != in[i] && in[i] < low ? 1 : 0;
}
