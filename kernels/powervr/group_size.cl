// A tree in local memory, whose number of steps depends on the size of the group.
__kernel void group_size(__global const int *in, __global int *out) {
  __local int sums[64];
  int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (l < s)
      sums[l] += sums[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = sums[0];
}
