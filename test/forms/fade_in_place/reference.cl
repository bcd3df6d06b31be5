// block: 4x1
// size: width x height
// Four pixels; the fourth channel is stored as it was loaded.
__kernel void fade(__global uchar *restrict img, int width, int height, int level) {
  int i = 4 * (get_global_id(1) * width + 4 * get_global_id(0));
  uchar16 p = vload16(0, img + i);
  int16 v = convert_int16(p) * (int16)(level);
  v = (v + ((v >> 31) & 255)) >> 8; // rounds towards zero
  uchar16 faded = convert_uchar16(min(v, (int16)(255)));
  vstore16((uchar16)(faded.s012, p.s3, faded.s456, p.s7, faded.s89a, p.sb, faded.scde, p.sf), 0, img + i);
}
