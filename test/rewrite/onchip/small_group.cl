// expect: refused group-geometry device=powervr-rogue run=localize
// Sixteen work-items have no fast copy.
__kernel void small_group(__global const int *in, __global int *out) {
  __local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[15 - get_local_id(0)];
}
