// expect: held passes=vectorize device=mali-midgard
// The pragma says what holds without it: the helper in front of it is contracted as well.
float scaled(float x, float y) { return x * y + 1.0f; }
#pragma OPENCL FP_CONTRACT ON
__kernel void contraction_on_behind_helper(__global const float *x, __global float *y, float a) {
  int i = get_global_id(0);
  y[i] = a * x[i] + scaled(x[i], a);
}
