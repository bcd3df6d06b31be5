// expect: refused staging-source-written|staging-not-a-copy run=delocalize
// The source is written inside the loop between two stagings.
__kernel void steps_over_a_tile(__global int *v, int steps) {
  __local int t[32];
  int l = get_local_id(0), g = get_global_id(0);
  for (int s = 0; s < steps; s++) {
    t[l] = v[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    v[g] = t[l] + t[(l + 1) & 31];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
