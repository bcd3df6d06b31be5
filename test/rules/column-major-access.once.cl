// RUN: %{python} %{expect} %s
// One finding for a buffer, although each work-item walks its rows and dimension 1 its columns.
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

// Neighbours in dimension 2 are a plane apart, not an element.
__kernel void planes(__global const float *in, __global float *out, int width, int height, int batch, int depth) {
  int block = get_global_id(0), place = get_global_id(1), plane = get_global_id(2);
  int x = place % height, y = place / height;
  vstore2(vload2(place, in), ((block * batch * depth + plane) * height + y) * width + x, out); // miss: in no dimension
}
