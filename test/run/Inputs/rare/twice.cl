__kernel void twice(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = 2 * in[i];
}
