// expect: held passes=vectorize device=mali-bifrost
// Groups of 32 decide together which tiles they shift: the barriers are under conditions on
// get_global_id(0) / 32, which is the number of the group.
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void
flagged_tiles(__global const uchar *flags, __global const float *in, __global float *out) {
  __local float tile[32];
  uint number = get_global_id(0) / 32;
  uint lane = get_local_id(0);
  uint first = get_global_id(0) - get_local_id(0);
  float v = in[first + lane];
  if (flags[number]) {
    tile[lane] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[31 - lane];
  }
  out[get_global_id(0)] = v;
}
