// expect: refused divergent-barrier
// A barrier that only half of the group meets.
__kernel void barrier_in_branch(__global const int *in, __global int *out) {
  __local int t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  if (l < 32) {
    t[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[63 - l];
}
