__kernel void apply(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = ACTIVATE(in[i]) + BIASED(in[i]) * ACTIVATE(BIAS);
}
