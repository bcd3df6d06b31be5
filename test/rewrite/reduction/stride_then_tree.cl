// expect: any
// Items first add up a strided run, then the group's tree follows (integers).
__kernel void stride_then_tree(__global const int *in, __global int *partial, int n) {
  __local int part[64];
  int acc = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    acc += in[i];
  int l = get_local_id(0);
  part[l] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s)
      part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    partial[get_group_id(0)] = part[0];
}
