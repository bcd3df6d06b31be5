// expect: held passes=vectorize
// One rule for the whole file, said once above it, holds for the rewritten kernel too.
#pragma OPENCL FP_CONTRACT OFF
float residual(float a, float b, float c) {
  return a * b - c;
}
__kernel void contraction_off_for_all(__global const float *a, __global const float *b, __global float *out) {
  int i = get_global_id(0);
  out[i] = residual(a[i], b[i], a[i] * b[i]) + a[i] * b[i];
}
