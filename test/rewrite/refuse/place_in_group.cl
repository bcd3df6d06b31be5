// expect: refused local-id-use
// An item's result depends on its local id in a group of unknown size.
__kernel void place_in_group(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  int l = get_local_id(0);
  if (i < n)
    out[i] = (l & 1) ? in[i] : -in[i];
}
