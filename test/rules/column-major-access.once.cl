// RUN: %{python} %{expect} %s
// One buffer is told once, though its rows are walked by each work-item and its columns by dimension 1.
__kernel void tiles(__global float *out, float by, int width) {
  int row = get_global_id(0), column = get_global_id(1) * 4;
  for (int k = 0; k < 4; ++k)
    out[row * width + column + k] = by * k; // HIT: is walked along a row by each work-item of dimension 0
}

__kernel void tiles_of_columns(__global float *out, float by, int width) {
  int row = get_global_id(1), column = get_global_id(0);
  for (int k = 0; k < 4; ++k)
    out[(row * 4 + k) * width + column] = by * k; // miss: neighbours are one element apart
}
