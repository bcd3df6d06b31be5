// expect: held passes=localize device=powervr-rogue run=localize
// The kernel itself says how large its groups are.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void reversed_required(__global const int *in, __global int *out) {
  __local int tile[64];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
