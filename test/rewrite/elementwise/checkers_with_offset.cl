// expect: held passes=vectorize
// Coordinates that do not count the offset of the launch, as programs with tiles have it.
__kernel void checkers_with_offset(__global float *out, int w, float a, float b) {
  int x = get_global_id(0), y = get_global_id(1);
  int column = x - get_global_offset(0), row = y - (int)get_global_offset(1);
  out[row * w + column] = ((x >> 3) + (y >> 3)) & 1 ? a : b;
}
