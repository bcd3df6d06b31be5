__kernel void twice(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = 2 * in[i];
}
__kernel void twice_v4(__global const int *in, __global int *out) {
  int i = get_global_id(0) * 4;
  vstore4(vload4(0, in + i) << 1, 0, out + i);
}
// Wrong.
__kernel void twice_rest(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = 3 * in[i];
}
