// expect: held passes=vectorize
// Dimension 0 is the row: neighbouring work-items are a whole row apart.
__kernel void rows_in_dimension_zero(__global const float *in, __global float *out, int rows, int cols) {
  int r = get_global_id(0);
  int c = get_global_id(1);
  if (r < rows && c < cols)
    out[r * cols + c] = 2.0f * in[r * cols + c] - 1.0f;
}
