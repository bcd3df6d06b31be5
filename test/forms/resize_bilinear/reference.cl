// block: 16x1
// border: 16x2
// 16 pixels inside the picture from 9 of each of two lines.
__kernel void resize(__global const uchar *restrict in, __global uchar *restrict out, int w, int h, int ow) {
  int x = 16 * get_global_id(0), y = get_global_id(1);
  __global const uchar *t = in + y / 2 * w + x / 2;
  ushort ay = y % 2 ? 1 : 0;
  ushort8 a = convert_ushort8(vload8(0, t)), c = convert_ushort8(vload8(0, t + w));
  ushort8 b = convert_ushort8(vload8(0, t + 1)), d = convert_ushort8(vload8(0, t + w + 1));
  // Even columns are (a + c) / 2 on odd lines, odd columns the mean of four.
  ushort8 even = (ushort8)(2 - ay) * a + (ushort8)(ay) * c;
  ushort8 next = (ushort8)(2 - ay) * b + (ushort8)(ay) * d;
  uchar8 e = convert_uchar8(even >> (ushort8)(1)), o = convert_uchar8((even + next) >> (ushort8)(2));
  vstore16((uchar16)(e.s0, o.s0, e.s1, o.s1, e.s2, o.s2, e.s3, o.s3, e.s4, o.s4, e.s5, o.s5, e.s6, o.s6, e.s7, o.s7), 0,
           out + y * ow + x);
}
