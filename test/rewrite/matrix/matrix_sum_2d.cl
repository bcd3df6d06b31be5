// expect: held passes=vectorize
// Scaled sum of two matrices, two-dimensional.
__kernel void matrix_sum_2d(__global float *out, __global const float *p, __global const float *q, float s, int rows, int cols) {
  int c = get_global_id(0), r = get_global_id(1);
  if (r >= rows) return;
  if (c >= cols) return;
  out[r * cols + c] = p[r * cols + c] + s * q[r * cols + c];
}
