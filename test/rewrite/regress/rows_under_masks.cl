// expect: held passes=coarsen device=mali-midgard run=vectorize:4,coarsen:2,pin-work-group-size,narrow
// A row of items loads under its own mask: what it loads does not serve another row, whose mask has more lanes.
__kernel void rows_under_masks(__global const uchar *src, __global uchar *dst, int cols, int rows, int step) {
  __local uchar tile[512];
  int gx = get_global_id(0), gy = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  int x0 = get_group_id(0) * 16 - 1, y0 = get_group_id(1) * 16 - 1;
  int p = ly * 16 + lx, q = p + 256, width = 19;
  int px = x0 + p % width, py = y0 + p / width, qx = x0 + q % width, qy = y0 + q / width;
  int a = py * step + px, b = qy * step + qx, end = (rows - 1) * step + cols;
  a = a < end && a > 0 ? a : 0;
  b = b < end && b > 0 ? b : 0;
  uchar first = src[a], second = src[b];
  first = px < 0 | px >= cols ? 0 : first;
  first = py < 0 | py >= rows ? 0 : first;
  second = qx < 0 | qx >= cols ? 0 : second;
  second = qy < 0 | qy >= rows ? 0 : second;
  tile[p] = first;
  tile[q] = second;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (gx < cols && gy < rows) {
    uchar most = 0, one;
    one = tile[ly * width + lx];
    most = max(most, one);
    one = tile[ly * width + lx + 1];
    most = max(most, one);
    one = tile[ly * width + lx + 2];
    most = max(most, one);
    one = tile[(ly + 1) * width + lx];
    most = max(most, one);
    one = tile[(ly + 1) * width + lx + 1];
    most = max(most, one);
    one = tile[(ly + 1) * width + lx + 2];
    most = max(most, one);
    one = tile[(ly + 2) * width + lx];
    most = max(most, one);
    one = tile[(ly + 2) * width + lx + 1];
    most = max(most, one);
    one = tile[(ly + 2) * width + lx + 2];
    most = max(most, one);
    dst[gy * step + gx] = most;
  }
}
