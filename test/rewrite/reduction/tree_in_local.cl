// expect: any
// The usual tree over a group's elements.
__kernel void tree_in_local(__global const float *g_idata, __global float *g_odata, __local float *sdata, uint n) {
  uint tid = get_local_id(0);
  uint i = get_global_id(0);
  sdata[tid] = (i < n) ? g_idata[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (tid == 0)
    g_odata[get_group_id(0)] = sdata[0];
}
