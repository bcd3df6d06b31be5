// expect: refused volatile-access
// The volatile tail of a reduction that relies on lockstep.
__kernel void volatile_warp_tail(__global const int *in, __global int *out) {
  volatile __local int t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 1) {
    t[0] += t[1];
    out[get_group_id(0)] = t[0];
  }
}
