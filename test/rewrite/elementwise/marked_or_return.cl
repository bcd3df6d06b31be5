// expect: held passes=vectorize
// An early return whose second condition is in memory.
__kernel void marked_or_return(__global const uchar *mask, __global float *x, float gain, int n) {
  int i = get_global_id(0);
  if (i >= n || mask[i] == 0)
    return;
  x[i] = x[i] * gain;
}
