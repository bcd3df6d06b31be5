// expect: held passes=vectorize
// expect: held passes=vectorize device=mali-bifrost
// The last group's elements run out in the middle of a block: two guarded loads for each item, then a tree.
__kernel void two_per_item_then_tree(__global const int *in, __global int *partial, uint n, __local int *sums) {
  uint t = get_local_id(0);
  uint i = get_group_id(0) * (get_local_size(0) * 2) + get_local_id(0);
  sums[t] = (i < n) ? in[i] : 0;
  if (i + get_local_size(0) < n)
    sums[t] += in[i + get_local_size(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (t < s)
      sums[t] += sums[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    partial[get_group_id(0)] = sums[0];
}
