// expect: held passes=vectorize,pin-work-group-size device=mali-bifrost
// As flagged_tiles, but only the launches say that a group has 32 work-items.
__kernel void
flagged_tiles_by_launch(__global const uchar *flags, __global const float *in, __global float *out) {
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
