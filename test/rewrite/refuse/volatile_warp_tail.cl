// expect: refused racy-original|volatile-access
// The tail of a reduction that relies on work-items in lockstep: volatile is no barrier.
__kernel void volatile_warp_tail(__global const int *in, __global int *out) {
  volatile __local int t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) {
    t[l] += t[l + 32];
    t[l] += t[l + 16];
    t[l] += t[l + 8];
    t[l] += t[l + 4];
    t[l] += t[l + 2];
    t[l] += t[l + 1];
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}
