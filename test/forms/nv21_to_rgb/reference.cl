// block: 4x1
// Four pixels share two pairs of chroma. Products need more than 16 bits.
__kernel void convert(__global const uchar *restrict luma, __global const uchar *restrict chroma,
                      __global uchar *restrict rgba, int w) {
  int x = 4 * get_global_id(0), y = get_global_id(1);
  int4 l = convert_int4(vload4(0, luma + y * w + x));
  int4 vu = convert_int4(vload4(0, chroma + (y / 2) * w + x)) - 128;
  int2 v = vu.s02, u = vu.s13;
  int4 r = l + ((359 * v) >> 8).s0011, g = l - ((88 * u + 183 * v) >> 8).s0011, b = l + ((454 * u) >> 8).s0011;
  uchar4 r8 = convert_uchar4_sat(r), g8 = convert_uchar4_sat(g), b8 = convert_uchar4_sat(b);
  vstore16((uchar16)(r8.x, g8.x, b8.x, 255, r8.y, g8.y, b8.y, 255, r8.z, g8.z, b8.z, 255, r8.w, g8.w, b8.w, 255),
           0, rgba + 4 * (y * w + x));
}
