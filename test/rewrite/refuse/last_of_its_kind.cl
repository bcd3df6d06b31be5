// expect: refused cross-item-dependence
// Every eighth item writes the same element.
__kernel void last_of_its_kind(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i % 8] = in[i];
}
