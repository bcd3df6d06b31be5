// expect: held passes=vectorize
// volatile on a work-item's own variables: the error of each sum is not to be simplified away.
__kernel void volatile_variable(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  volatile float sum = in[i] + 0.1f;
  volatile float lost = sum - in[i];
  out[i] = (0.1f - lost) * 1048576.0f;
}
