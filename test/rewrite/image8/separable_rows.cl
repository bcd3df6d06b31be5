// expect: held passes=vectorize
// Horizontal pass of a separable 5-tap filter over a padded 8-bit image, result in 16 bits.
__kernel void separable_rows(__global const uchar *padded, __global ushort *mid, int width, int pitch) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width)
    return;
  __global const uchar *row = padded + y * pitch + x;
  mid[y * width + x] = row[0] + 4 * row[1] + 6 * row[2] + 4 * row[3] + row[4];
}
