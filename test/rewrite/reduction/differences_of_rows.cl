// expect: held passes=vectorize
// Bytes: the sums wrap at 32 bits, so they are exact in any order and need no leave. The
// sum lives across the rows of a window.
__kernel void differences_of_rows(__global const uchar *a, __global const uchar *b, __global uint *out, int pitch, int rows, int columns) {
  int x = get_global_id(0) * columns, y = get_global_id(1) * rows;
  uint sum = 0;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      sum += abs_diff(a[(y + j) * pitch + x + i], b[(y + j) * pitch + x + i]);
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
