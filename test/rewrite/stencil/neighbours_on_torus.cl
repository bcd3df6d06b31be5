// expect: held passes=vectorize
// Cells of a torus: the last condition reads a cell only where it decides, between two that were read anyway.
__kernel void neighbours_on_torus(__global const uchar *cells, __global uchar *next, const int width, const int height) {
  const int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
  const int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
  if (x >= width || y >= height)
    return;
  const int xm = x == 0 ? width - 1 : x - 1, xp = x == width - 1 ? 0 : x + 1;
  const int ym = y == 0 ? height - 1 : y - 1, yp = y == height - 1 ? 0 : y + 1;
  const int n = cells[ym * width + xm] + cells[ym * width + x] + cells[ym * width + xp] + cells[y * width + xm] +
                cells[y * width + xp] + cells[yp * width + xm] + cells[yp * width + x] + cells[yp * width + xp];
  next[y * width + x] = (n == 3 || (n == 2 && cells[y * width + x])) ? 1 : 0;
}
