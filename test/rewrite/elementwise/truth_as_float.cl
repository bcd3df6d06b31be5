// expect: held passes=vectorize
// Truth values that become floating point: 0 or 1, never -1.
__kernel void truth_as_float(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = !v + (v > 1.0f) * 2.5f;
}
