// expect: held passes=vectorize
// Every way through the branches stores to the same two places, one of them by an early return.
__kernel void stores_in_branches(__global const float *in, __global float *out, __global uchar *kind, float limit, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float v = in[i];
  if (v < 0.0f) {
    out[i] = -v * limit;
    kind[i] = 1;
    return;
  }
  if (v > limit) {
    out[i] = limit;
    kind[i] = 2;
  } else {
    out[i] = v;
    kind[i] = 0;
  }
}
