// expect: refused opaque-construct
// The helper must not fuse its product and sum, the kernel may: one text cannot say both.
float residual(float a, float b, float c) {
#pragma OPENCL FP_CONTRACT OFF
  return a * b - c;
}
__kernel void contraction_in_helper(__global const float *a, __global const float *b, __global float *out) {
  int i = get_global_id(0);
  out[i] = residual(a[i], b[i], a[i] * b[i]) + a[i] * b[i];
}
