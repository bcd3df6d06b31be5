// block: 48
// size: n
// Sixteen pixels: each of three vectors has factors of its own. A product has up to 32 bits.
__kernel void gain(__global const uchar *restrict src, __global uchar *restrict dst, int r, int g, int b, int n) {
  int i = 48 * get_global_id(0);
  int16 f = (int16)(r, g, b, r, g, b, r, g, b, r, g, b, r, g, b, r);
  int16 f1 = (int16)(g, b, r, g, b, r, g, b, r, g, b, r, g, b, r, g);
  int16 f2 = (int16)(b, r, g, b, r, g, b, r, g, b, r, g, b, r, g, b);
  int16 top = (int16)(255);
  int16 v = convert_int16(vload16(0, src + i)) * f >> 8;
  vstore16(convert_uchar16(min(v, top)), 0, dst + i);
  v = convert_int16(vload16(1, src + i)) * f1 >> 8;
  vstore16(convert_uchar16(min(v, top)), 1, dst + i);
  v = convert_int16(vload16(2, src + i)) * f2 >> 8;
  vstore16(convert_uchar16(min(v, top)), 2, dst + i);
}
