// block: 4
// size: n
// x / 255 for x <= 65152: (x + 1 + (x >> 8)) >> 8. Alpha of the base stays.
__kernel void blend(__global const uchar *restrict top, __global uchar *restrict base, int n) {
  int i = get_global_id(0);
  uchar16 t = vload16(i, top), b = vload16(i, base);
  ushort16 a = convert_ushort16((uchar16)(t.s3333, t.s7777, t.sbbbb, t.sffff));
  ushort16 x = convert_ushort16(t) * a + convert_ushort16(b) * ((ushort16)(255) - a) + (ushort16)(127);
  uchar16 r = convert_uchar16((x + (ushort16)(1) + (x >> (ushort16)(8))) >> (ushort16)(8));
  r.s37bf = b.s37bf;
  vstore16(r, i, base);
}
