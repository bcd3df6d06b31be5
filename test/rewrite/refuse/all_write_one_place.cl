// expect: refused racy-original
// Every item writes the same element.
__kernel void all_write_one_place(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[0] = in[i];
}
