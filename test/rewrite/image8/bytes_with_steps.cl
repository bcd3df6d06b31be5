// expect: held passes=vectorize
// Rows of several lines for each item, found by byte steps and offsets with mad24, through pointers cast to the type.
#ifndef SRC_T
#define SRC_T uchar
#define DST_T short
#define SRC_SIZE 1
#define DST_SIZE 2
#define TO_DST convert_short_sat_rte
#endif
#define ROWS 4

__kernel void bytes_with_steps(__global const uchar *srcptr, int src_step, int src_offset, __global uchar *dstptr,
                               int dst_step, int dst_offset, int rows, int cols, float alpha, float beta) {
  int x = get_global_id(0);
  int y0 = get_global_id(1) * ROWS;
  if (x < cols) {
    int src_index = mad24(y0, src_step, mad24(x, SRC_SIZE, src_offset));
    int dst_index = mad24(y0, dst_step, mad24(x, DST_SIZE, dst_offset));
    for (int y = y0, y1 = min(rows, y0 + ROWS); y < y1; ++y, src_index += src_step, dst_index += dst_step) {
      __global const SRC_T *src = (__global const SRC_T *)(srcptr + src_index);
      __global DST_T *dst = (__global DST_T *)(dstptr + dst_index);
      dst[0] = TO_DST(fma(convert_float(src[0]), alpha, beta));
    }
  }
}
