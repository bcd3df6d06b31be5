// expect: refused local-id-use
// The runtime chooses the group's size, and it goes into the result.
__kernel void group_size_in_value(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] / (float)get_local_size(0);
}
