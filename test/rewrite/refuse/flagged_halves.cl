// expect: refused divergent-barrier
// Each half of a group of 64 decides for itself: get_global_id(0) / 32 differs within the group.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
flagged_halves(__global const uchar *flags, __global const float *in, __global float *out) {
  __local float tile[64];
  uint number = get_global_id(0) / 32;
  uint lane = get_local_id(0) & 31;
  uint first = get_global_id(0) - get_local_id(0);
  float v = in[first + lane];
  if (flags[number]) {
    tile[lane] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[31 - lane];
  }
  out[get_global_id(0)] = v;
}
