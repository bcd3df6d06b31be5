// block: 16
// size: width * height
// when: width % 16 == 0
// Sixteen pixels of one row.
__kernel void shading(__global const uchar *restrict src, __global const ushort *restrict rows,
                      __global const ushort *restrict columns, __global uchar *restrict dst, int width, int height) {
  int i = 16 * get_global_id(0), y = i / width;
  int16 v = convert_int16(vload16(0, src + i)) * (int)rows[y] >> 8;
  v = v * convert_int16(vload16(0, columns + (i - y * width))) >> 8;
  vstore16(convert_uchar16(min(v, (int16)(255))), 0, dst + i);
}
