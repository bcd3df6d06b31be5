// expect: held
// From element 32768 on the shifted id is negative.
__kernel void leaves_by_shifted_id(__global const float *a, __global float *out) {
  uint i = get_global_id(0);
  if ((int)(i << 16) < 0)
    return;
  out[i] = a[i] * 2.0f + a[i + 1];
}
