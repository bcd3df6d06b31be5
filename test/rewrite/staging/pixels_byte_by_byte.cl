// expect: held passes=delocalize device=mali-bifrost
// A tile of RGB pixels, three bytes each, staged byte by byte with a halo column on both sides.
#define G 16
__kernel void pixels_byte_by_byte(__global const uchar *in, __global uchar *out, int pitch) {
  __local uchar t[(G + 2) * 3];
  int l = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
  int at = y * pitch + 3 * x;
  t[3 * l + 3] = in[at + 3];
  t[3 * l + 4] = in[at + 4];
  t[3 * l + 5] = in[at + 5];
  if (l == 0) {
    t[0] = in[at];
    t[1] = in[at + 1];
    t[2] = in[at + 2];
  }
  if (l == G - 1) {
    t[3 * G + 3] = in[at + 6];
    t[3 * G + 4] = in[at + 7];
    t[3 * G + 5] = in[at + 8];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = 0; c < 3; ++c)
    out[at + 3 + c] = (t[3 * l + c] + 2 * t[3 * l + 3 + c] + t[3 * l + 6 + c]) >> 2;
}
