// Three loads, up to 12 elements apart.
__kernel void comb(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 8] + in[i + 12];
}
