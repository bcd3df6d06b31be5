// expect: refused staging-not-a-copy device=powervr-rogue run=localize
// Copied element by element as far as the data goes: no run of a known length.
__kernel void guarded_by_hand(__global const int *in, __global int *out, int n) {
  __local int tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  if (g < n)
    tile[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g < n)
    out[g] = tile[l] * 3;
}
