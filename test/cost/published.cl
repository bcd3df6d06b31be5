// Six kernels of which Arm's offline compiler published a report (Mali-T604; the talk that
// rules/devices.yaml calls S0): a 3x3 filter, 9 times the centre less its eight neighbours, on interleaved
// 8-bit RGB. Written anew to do what the reported ones do, no more: the forms for several pixels have
// no border and may read past a row, so none of them is a kernel to use.

#define AT(c, dx, dy) s[i + 3 * ((dx) + (dy) * w) + (c)]
#define SUM(c)                                                                                                         \
  (0 - AT(c, 0, 0) - AT(c, 1, 0) - AT(c, 2, 0) - AT(c, 0, 1) + AT(c, 1, 1) * 9 - AT(c, 2, 1) - AT(c, 0, 2) -           \
   AT(c, 1, 2) - AT(c, 2, 2))
#define BYTE(v) (uchar)((v) < 255 ? ((v) > 0 ? (v) : 0) : 255)

// One pixel, scalar; the right and lower border is copied.
kernel void pixel(global uchar *d, global const uchar *s, int w, int h) {
  int y = get_global_id(0), x = get_global_id(1);
  int i = 3 * (x + w * y);
  if (x >= w - 2 || y >= h - 2) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
    d[i + 2] = s[i + 2];
    return;
  }
  int b = SUM(0), g = SUM(1), r = SUM(2);
  int o = 3 * (x + 1 + w * (y + 1));
  d[o] = BYTE(b);
  d[o + 1] = BYTE(g);
  d[o + 2] = BYTE(r);
}

#define STORE15(v)                                                                                                     \
  vstore8((v).lo, 0, d + i);                                                                                           \
  vstore4((v).s89ab, 0, d + i + 8);                                                                                    \
  vstore2((v).scd, 0, d + i + 12);                                                                                     \
  d[i + 14] = (v).se

#define ROW(at) vload16(0, s + i + (at))
#define FILTER(T, S, C)                                                                                                \
  T sum = (S)0 - C(a1) - C(b1) - C(c1) - C(a2) + C(b2) * (S)9 - C(c2) - C(a3) - C(b3) - C(c3);                         \
  uchar16 v = convert_uchar16(clamp(sum, (T)0, (T)255))

// Five pixels, in int: three loads for each row.
kernel void five_int(global uchar *d, global const uchar *s, int w, int h) {
  int i = 15 * get_global_id(1) + 3 * w * get_global_id(0);
  uchar16 a1 = ROW(0), b1 = ROW(3), c1 = ROW(6);
  uchar16 a2 = ROW(3 * w), b2 = ROW(3 * w + 3), c2 = ROW(3 * w + 6);
  uchar16 a3 = ROW(6 * w), b3 = ROW(6 * w + 3), c3 = ROW(6 * w + 6);
  FILTER(int16, int, convert_int16);
  STORE15(v);
}

#define OUTER_ROWS                                                                                                     \
  uchar16 a1 = ROW(0), c1 = ROW(6), b1 = (uchar16)(a1.s3456789a, c1.s56789abc);                                        \
  uchar16 a2 = ROW(3 * w), c2 = ROW(3 * w + 6), b2 = (uchar16)(a2.s3456789a, c2.s56789abc);                            \
  uchar16 a3 = ROW(6 * w), c3 = ROW(6 * w + 6), b3 = (uchar16)(a3.s3456789a, c3.s56789abc)

// Five pixels, in int: two loads for each row, the middle joined from them.
kernel void five_int_joined(global uchar *d, global const uchar *s, int w, int h) {
  int i = 15 * get_global_id(1) + 3 * w * get_global_id(0);
  OUTER_ROWS;
  FILTER(int16, int, convert_int16);
  STORE15(v);
}

// The same in short.
kernel void five_short(global uchar *d, global const uchar *s, int w, int h) {
  int i = 15 * get_global_id(1) + 3 * w * get_global_id(0);
  OUTER_ROWS;
  FILTER(short16, short, convert_short16);
  STORE15(v);
}

// Four pixels in short.
kernel void four_short(global uchar *d, global const uchar *s, int w, int h) {
  int i = 12 * get_global_id(1) + 3 * w * get_global_id(0);
  OUTER_ROWS;
  FILTER(short16, short, convert_short16);
  vstore8(v.lo, 0, d + i);
  vstore4(v.s89ab, 0, d + i + 8);
}

#define LEFT16(l, r) convert_short16(l)
#define MIDDLE16(l, r) convert_short16((uchar16)(l.s3456789a, l.sbcde, r.s1234))
#define RIGHT16(l, r) convert_short16((uchar16)(l.s6789abcd, r.s01234567))
#define LEFT8(r) convert_short8(r.s23456789)
#define MIDDLE8(r) convert_short8(r.s56789abc)
#define RIGHT8(r) convert_short8(r.s89abcdef)

// Eight pixels in short: 16 + 8 bytes of each row from two loads.
kernel void eight_short(global uchar *d, global const uchar *s, int w, int h) {
  int i = 24 * get_global_id(1) + 3 * w * get_global_id(0);
  uchar16 l1 = ROW(0), r1 = ROW(14);
  short16 sum = -LEFT16(l1, r1) - MIDDLE16(l1, r1) - RIGHT16(l1, r1);
  short8 rest = -LEFT8(r1) - MIDDLE8(r1) - RIGHT8(r1);
  uchar16 l2 = ROW(3 * w), r2 = ROW(3 * w + 14);
  sum = sum - LEFT16(l2, r2) + MIDDLE16(l2, r2) * (short)9 - RIGHT16(l2, r2);
  rest = rest - LEFT8(r2) + MIDDLE8(r2) * (short)9 - RIGHT8(r2);
  uchar16 l3 = ROW(6 * w), r3 = ROW(6 * w + 14);
  sum = sum - LEFT16(l3, r3) - MIDDLE16(l3, r3) - RIGHT16(l3, r3);
  rest = rest - LEFT8(r3) - MIDDLE8(r3) - RIGHT8(r3);
  vstore16(convert_uchar16(clamp(sum, (short16)0, (short16)255)), 0, d + i);
  vstore8(convert_uchar8(clamp(rest, (short8)0, (short8)255)), 0, d + i + 16);
}
