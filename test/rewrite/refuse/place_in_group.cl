// expect: refused local-id-use
// Which result an item makes depends on its place in a group whose size nobody gave.
__kernel void place_in_group(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  int l = get_local_id(0);
  if (i < n)
    out[i] = (l & 1) ? in[i] : -in[i];
}
