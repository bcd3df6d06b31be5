static uchar scaled(uchar v, ushort a, ushort b) { return convert_uchar_sat((v * a >> 8) * b >> 8); }

__kernel void shading(__global const uchar *src, __global const ushort *rows, __global const ushort *columns,
                      __global uchar *dst, int width, int height) {
  size_t i = get_global_id(0);
  size_t y = i / width, x = i % width;
  if (y < height)
    dst[i] = scaled(src[i], rows[y], columns[x]);
}
