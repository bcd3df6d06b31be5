// block: 4x1
// border: 4x1
// size: w x h
// Four pixels inside the picture. Columns are summed first, and the finished sums are shifted.
__kernel void blur(__global const uchar *restrict src, __global uchar *restrict dst, int w, int h) {
  int i = 4 * (get_global_id(1) * w + 4 * get_global_id(0));
  __global const uchar *t = src + i - 4 * w, *m = src + i, *b = src + i + 4 * w;
  ushort16 mid = convert_ushort16(vload16(0, t)) + convert_ushort16(vload16(0, m)) +
                 convert_ushort16(vload16(0, b));
  ushort4 left = convert_ushort4(vload4(0, t - 4)) + convert_ushort4(vload4(0, m - 4)) +
                 convert_ushort4(vload4(0, b - 4));
  ushort4 right = convert_ushort4(vload4(4, t)) + convert_ushort4(vload4(4, m)) +
                  convert_ushort4(vload4(4, b));
  ushort16 sum = mid + (ushort16)(left, mid.s01234567, mid.s89ab) + (ushort16)(mid.s456789ab, mid.scdef, right);
  // sum <= 2295: exact.
  vstore16(convert_uchar16(mul_hi(sum, (ushort16)(7282))), 0, dst + i);
}
