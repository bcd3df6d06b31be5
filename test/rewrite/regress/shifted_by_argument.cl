// expect: held
// OpenCL takes the count modulo 32: a count of 33 shifts by 1.
__kernel void shifted_by_argument(__global const float *a, __global float *out, int s) {
  int i = get_global_id(0);
  out[i] = a[i >> s] * 2.0f;
}
