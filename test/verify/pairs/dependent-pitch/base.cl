// The rows of the source are dense, those of the result dst_step apart: with a step below cols
// several work-items store different values to one element.
__kernel void rows_of(__global const uchar *src, int src_step, __global uchar *dst, int dst_step,
                      int rows, int cols) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < cols && y < rows)
    dst[y * dst_step + x] = src[y * src_step + x] / 2 + 1;
}
