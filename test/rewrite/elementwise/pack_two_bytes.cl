// expect: held passes=vectorize
// Two byte streams become one 16-bit stream.
__kernel void pack_two_bytes(__global const uchar *hi, __global const uchar *lo, __global ushort *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = (ushort)((hi[i] << 8) | lo[i]);
}
