__kernel void shading(__global const uchar *restrict src, __global const ushort *restrict rows,
                      __global const ushort *restrict columns, __global uchar *restrict dst, int width, int height) {
  const int id = get_global_id(0);
  const int row = id / width, column = id - row * width;
  if (row < height) {
    uint v = src[row * width + column];
    v = v * rows[row] >> 8;
    v = v * columns[column] >> 8;
    dst[row * width + column] = v > 255 ? 255 : v;
  }
}
