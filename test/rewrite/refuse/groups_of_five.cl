// expect: refused group-geometry
// Groups of five do not divide into blocks, and the place in the group goes into the result.
__kernel void groups_of_five(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] * 5 + get_local_id(0);
}
