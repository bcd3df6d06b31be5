// expect: held
// A short-circuit condition over loads: only marked, positive elements change.
__kernel void masked_update(__global const uchar *mask, __global float *x, float gain, int n) {
  int i = get_global_id(0);
  if (i < n && mask[i] != 0 && x[i] > 0.0f)
    x[i] = x[i] * gain;
}
