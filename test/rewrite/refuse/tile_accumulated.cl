// expect: refused staging-modified|staging-not-a-copy run=delocalize
// A tree over the copy: what is read later is not what was copied.
__kernel void tile_accumulated(__global const int *in, __global int *out, __local int *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}
