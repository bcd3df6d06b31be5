__kernel void shading(__global const uchar *src, __global const ushort *rows, __global const ushort *columns,
                      __global uchar *dst, int width, int height) {
  int i = get_global_id(0);
  if (i >= width * height)
    return;
  int x = i % width;
  int y = i / width;
  int v = (src[i] * rows[y] >> 8) * columns[x] >> 8;
  dst[i] = min(v, 255);
}
