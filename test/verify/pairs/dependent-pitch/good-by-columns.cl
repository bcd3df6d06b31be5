// expect: held
// why: the same where the rows do not overlap; elsewhere the original is racy, and proves nothing
// launch: {"kernel": "by_columns", "global": ["gx"]}
__kernel void rows_of(__global const uchar *src, int src_step, __global uchar *dst, int dst_step,
                      int rows, int cols) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < cols && y < rows)
    dst[y * dst_step + x] = src[y * src_step + x] / 2 + 1;
}

__kernel void by_columns(__global const uchar *src, int src_step, __global uchar *dst,
                         int dst_step, int rows, int cols) {
  int x = get_global_id(0);
  if (x < cols)
    for (int y = min(rows, 8) - 1; y >= 0; --y)
      dst[y * dst_step + x] = src[y * src_step + x] / 2 + 1;
}
