// expect: held passes=vectorize device=mali-bifrost
// Two results share each element: the index is half of the work-item's id.
__kernel void twice_as_large(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int x1 = min(x / 2 + 1, w - 1), y1 = min((y >> 1) + 1, h - 1);
  int ax = x & 1, ay = y % 2;
  int top = in[y / 2 * w + x / 2] * (2 - ax) + in[y / 2 * w + x1] * ax;
  int bottom = in[y1 * w + x / 2] * (2 - ax) + in[y1 * w + x1] * ax;
  out[2 * w * y + x] = (top * (2 - ay) + bottom * ay + 2) / 4;
}
