// expect: held
// Transposition without a tile: reads along the rows, writes down the columns.
__kernel void transpose_plain(__global const int *src, __global int *dst, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < w && y < h)
    dst[x * h + y] = src[y * w + x];
}
