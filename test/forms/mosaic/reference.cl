// block: 16x2
// size: width x height
// Two rows of sixteen pixels: each is two channels of three vectors.
__kernel void mosaic(__global const uchar *restrict rgb, __global uchar *restrict raw, int width, int height) {
  int i = 2 * get_global_id(1) * width + 16 * get_global_id(0), j = i + width;
  uchar16 a = vload16(0, rgb + 3 * i), b = vload16(1, rgb + 3 * i), c = vload16(2, rgb + 3 * i);
  vstore16((uchar16)(a.s04, a.s6a, a.sc, b.s0, b.s26, b.s8c, b.se, c.s2, c.s48, c.sae), 0, raw + i);
  a = vload16(0, rgb + 3 * j), b = vload16(1, rgb + 3 * j), c = vload16(2, rgb + 3 * j);
  vstore16((uchar16)(a.s15, a.s7b, a.sd, b.s1, b.s37, b.s9d, b.sf, c.s3, c.s59, c.sbf), 0, raw + j);
}
