// RUN: %{python} %{expect} %s
// COMBINE is the host's, and was taken for nothing: it may read the copy.
__kernel void combined(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g]; // miss: COMBINE may read it
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  COMBINE(s, tile[63 - l]);
  out[g] = s;
}

__kernel void dead(__global const float *in, __global float *out) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g]; // HIT(mali-midgard,mali-bifrost,mali-valhall): nobody reads it
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = 1;
}
