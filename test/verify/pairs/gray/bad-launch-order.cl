// expect: refuted
// why: the first launch spoils an element that the second one puts right: the order of disjoint work-items counts
// only: reverse-order
// launch: {"kernel": "gray_v4", "when": "gx >= 4", "global": ["gx / 4"]}
// launch: {"kernel": "gray", "when": "gx % 4 != 0", "global": ["gx % 4"], "offset": ["gx - gx % 4"]}
__kernel void gray(__global const uchar *rgb, __global uchar *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    out[i] = (uchar)((77 * r + 151 * g + 28 * b) >> 8);
  }
}
__kernel void gray_v4(__global const uchar *rgb, __global uchar *out, int n) {
  int i = get_global_id(0) * 4;
  if (i + 4 > n) {
    for (; i < n; ++i)
      out[i] = (uchar)((77 * rgb[3 * i] + 151 * rgb[3 * i + 1] + 28 * rgb[3 * i + 2]) >> 8);
    return;
  }
  uchar8 a = vload8(0, rgb + 3 * i);
  uchar4 b = vload4(0, rgb + 3 * i + 8);
  ushort4 r = convert_ushort4((uchar4)(a.s0, a.s3, a.s6, b.s1));
  ushort4 g = convert_ushort4((uchar4)(a.s1, a.s4, a.s7, b.s2));
  ushort4 bl = convert_ushort4((uchar4)(a.s2, a.s5, b.s0, b.s3));
  vstore4(convert_uchar4((r * (ushort)77 + g * (ushort)151 + bl * (ushort)28) >> (ushort)8), 0, out + i);
  if (i + 8 > n && i + 4 < n)
    out[i + 4] = 17;
}
