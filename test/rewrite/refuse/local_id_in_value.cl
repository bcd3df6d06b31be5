// expect: refused local-id-use
// The local id goes into the result: other groups would give other numbers.
__kernel void local_id_in_value(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] * (int)get_local_id(0) + (int)get_group_id(0);
}
