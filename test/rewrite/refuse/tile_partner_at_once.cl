// expect: refused racy-original
// Partners in local memory read what the other changes, without a barrier in between.
__kernel void tile_partner_at_once(__global const float *in, __global float *out) {
  __local float tile[64];
  int l = get_local_id(0);
  int i = get_global_id(0);
  tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] += tile[l ^ 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] * 2.0f;
}
