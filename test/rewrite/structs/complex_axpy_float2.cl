// expect: held passes=vectorize
// Complex numbers as float2: y += a * x.
__kernel void complex_axpy_float2(__global const float2 *x, __global float2 *y, float re, float im, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float2 v = x[i];
    y[i] += (float2)(re * v.x - im * v.y, re * v.y + im * v.x);
  }
}
