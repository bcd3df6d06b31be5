// expect: refused staging-source-written|staging-not-a-copy run=delocalize
// Smoothing inside each block, in place through a tile; the block's ends stay.
__kernel void block_smoothed_in_place(__global float *v, __local float *t) {
  int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  t[l] = v[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 0 && l < n - 1)
    v[g] = 0.25f * t[l - 1] + 0.5f * t[l] + 0.25f * t[l + 1];
}
