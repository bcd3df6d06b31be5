// expect: refused divergent-barrier
// Items beyond the end leave before the barrier.
__kernel void barrier_after_return(__global const float *in, __global float *out, int n) {
  __local float t[64];
  int g = get_global_id(0), l = get_local_id(0);
  if (g >= n)
    return;
  t[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l] + t[0];
}
