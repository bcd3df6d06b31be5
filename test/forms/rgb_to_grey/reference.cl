// block: 16x1
// size: width x height
// 16 pixels: three loads of 16 bytes, one exact multiply-add in float for each channel.
__kernel void grey(__global const uchar *restrict rgb, __global uchar *restrict out, int width,
                   int height) {
  int i = get_global_id(1) * width + 16 * get_global_id(0);
  uchar16 a = vload16(0, rgb + 3 * i), b = vload16(1, rgb + 3 * i), c = vload16(2, rgb + 3 * i);
  uchar16 red = (uchar16)(a.s0369, a.scf, b.s258b, b.se, c.s147a, c.sd);
  uchar16 green = (uchar16)(a.s147a, a.sd, b.s0369, b.scf, c.s258b, c.se);
  uchar16 blue = (uchar16)(a.s258b, a.se, b.s147a, b.sd, c.s0369, c.scf);
  ushort16 sum = convert_ushort16(red) * (ushort16)(77) + convert_ushort16(green) * (ushort16)(150) +
                 convert_ushort16(blue) * (ushort16)(29);
  vstore16(convert_uchar16(sum >> (ushort16)(8)), 0, out + i);
}
