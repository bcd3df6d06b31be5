// Reverses each work-group's elements through local memory.
__kernel void groups(__global int *out, __global const int *in, __local int *tile) {
  int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
  tile[l] = in[g] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[l] + in[g];
}
