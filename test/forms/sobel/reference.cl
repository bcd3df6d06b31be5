// block: 8x1
// border: 8x1
// size: w x h
__kernel void sobel(__global const uchar *restrict in, __global uchar *restrict out, int w, int h) {
  int i = get_global_id(1) * w + 8 * get_global_id(0);
  uchar16 t = vload16(0, in + i - w - 1), m = vload16(0, in + i - 1), b = vload16(0, in + i + w - 1);
  // Vertical sums of the ten columns, then differences between columns.
  short16 s = convert_short16(t) + convert_short16(m) * (short16)(2) + convert_short16(b);
  short16 d = convert_short16(b) - convert_short16(t);
  short8 gx = s.s23456789 - s.s01234567;
  short8 gy = d.s01234567 + d.s12345678 * (short8)(2) + d.s23456789;
  vstore8(convert_uchar8_sat(abs(gx) + abs(gy)), 0, out + i);
}
