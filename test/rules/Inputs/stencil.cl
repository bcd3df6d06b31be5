__kernel void stencil(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1] + in[i + 2];
}
