// group_size by hand: the size is an attribute, so that the compiler knows the steps.
// items: 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void group_size_hand(__global const int *restrict in, __global int *restrict out) {
  __local int sums[64];
  int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s /= 2) {
    if (l < s)
      sums[l] += sums[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = sums[0];
}
