// expect: refused staging-source-written|staging-not-a-copy run=delocalize
// Each group reverses its own block in the same buffer: safe only because of the tile and its barrier.
__kernel void block_reversed_in_place(__global int *v) {
  __local int t[64];
  int l = get_local_id(0);
  t[l] = v[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  v[get_global_id(0)] = t[63 - l];
}
