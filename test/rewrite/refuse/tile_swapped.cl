// expect: refused staging-modified|staging-not-a-copy run=delocalize
// A compare-exchange between barriers: the copy is sorted in pairs.
__kernel void tile_swapped(__global const int *in, __global int *out) {
  __local int t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((l & 1) == 0 && t[l] > t[l + 1]) {
    int x = t[l];
    t[l] = t[l + 1];
    t[l + 1] = x;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l];
}
