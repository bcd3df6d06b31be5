// The filter of a well-known talk, written anew with its mistakes (see talk.lit): stage 0 writes one
// pixel from two work-items; stage 1 subtracts where it should add, stores one pixel off, drops the
// border, and loads 16 bytes for 15; the last stage stores over the rows before it.
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

__kernel void stage0(__global uchar *to, __global uchar *from, int w, int h) {
  int row = get_global_id(0);
  int col = get_global_id(1);
  int at = 3 * (col + w * row);
  if (col >= w - 2 || row >= h - 2) {
    to[at] = from[at];
    to[at + 1] = from[at + 1];
    to[at + 2] = from[at + 2];
    return;
  }
  int b = 9 * from[at + 3 * (1 + w)], g = 9 * from[at + 3 * (1 + w) + 1],
      r = 9 * from[at + 3 * (1 + w) + 2];
  b = b - from[at] - from[at + 3] - from[at + 6] - from[at + 3 * w] - from[at + 3 * (2 + w)] -
      from[at + 6 * w] - from[at + 3 * (1 + 2 * w)] - from[at + 3 * (2 + 2 * w)];
  g = g - from[at + 1] - from[at + 4] - from[at + 7] - from[at + 3 * w + 1] -
      from[at + 3 * (2 + w) + 1] - from[at + 6 * w + 1] - from[at + 3 * (1 + 2 * w) + 1] -
      from[at + 3 * (2 + 2 * w) + 1];
  r = r - from[at + 2] - from[at + 5] - from[at + 8] - from[at + 3 * w + 2] -
      from[at + 3 * (2 + w) + 2] - from[at + 6 * w + 2] - from[at + 3 * (1 + 2 * w) + 2] -
      from[at + 3 * (2 + 2 * w) + 2];
  at = 3 * (col + 1 + w * (row + 1));
  to[at] = (uchar)MAX(MIN(b, 255), 0);
  to[at + 1] = (uchar)MAX(MIN(g, 255), 0);
  to[at + 2] = (uchar)MAX(MIN(r, 255), 0);
}

__kernel void stage1(__global uchar *to, __global uchar *from, int w, int h) {
  int row = get_global_id(0);
  int col = get_global_id(1);
  int at = col * 5 * 3 + w * row * 3;
  int16 a0 = convert_int16(vload16(0, from + at));
  int16 b0 = convert_int16(vload16(0, from + at + 3));
  int16 c0 = convert_int16(vload16(0, from + at + 6));
  int16 a1 = convert_int16(vload16(0, from + at + w * 3));
  int16 b1 = convert_int16(vload16(0, from + at + w * 3 + 3));
  int16 c1 = convert_int16(vload16(0, from + at + w * 3 + 6));
  int16 a2 = convert_int16(vload16(0, from + at + w * 6));
  int16 b2 = convert_int16(vload16(0, from + at + w * 6 + 3));
  int16 c2 = convert_int16(vload16(0, from + at + w * 6 + 6));
  int16 sum = (int16)(0) - a0 - b0 - c0 - a1 - b1 * 9 - c1 - a2 - b2 - c2;
  uchar16 out = convert_uchar16(clamp(sum, (int16)(0), (int16)(255)));
  vstore8(out.s01234567, 0, to + at);
  vstore4(out.s89ab, 0, to + at + 8);
  vstore2(out.scd, 0, to + at + 12);
  to[at + 14] = out.se;
}

__kernel void stage5(__global uchar *to, __global uchar *from, int w, int h) {
  int row = get_global_id(0);
  int col = get_global_id(1) * 8;
  int at = (col + w * row) * 3;
  uchar16 l0 = vload16(0, from + at), r0 = vload16(0, from + at + 14);
  uchar16 l1 = vload16(0, from + at + w * 3), r1 = vload16(0, from + at + w * 3 + 14);
  short16 sum = -convert_short16(l0) - convert_short16((uchar16)(l0.s6789abcd, r0.s01234567));
  short8 rest = -convert_short8(r0.s23456789) - convert_short8(r0.s89abcdef);
  sum = -convert_short16(l1) - convert_short16((uchar16)(l1.s6789abcd, r0.s01234567));
  rest += -convert_short8(r1.s23456789) - convert_short8(r1.s89abcdef);
  vstore16(convert_uchar16(clamp(sum, (short16)(0), (short16)(255))), 0, to + at);
  vstore8(convert_uchar8(clamp(rest, (short8)(0), (short8)(255))), 0, to + at + 16);
}
