__kernel void plane(__global const short *from, __global short *to, int columns, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < columns && y < rows)
    to[y * columns + x] = from[y * columns + x] >> 2;
}
