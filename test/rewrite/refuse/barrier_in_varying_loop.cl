// expect: refused divergent-barrier|divergent-loop
// A barrier inside a loop whose length varies.
__kernel void barrier_in_varying_loop(__global const int *len, __global int *out) {
  __local int t[32];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = l;
  for (int k = 0; k < len[g]; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += k;
  }
  out[g] = t[l];
}
