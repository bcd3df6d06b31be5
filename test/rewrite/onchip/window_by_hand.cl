// expect: held passes=localize,pin-work-group-size device=powervr-rogue
// A window and its halo, filled by hand: one copy of 66 elements.
__kernel void window_by_hand(__global const int *in, __global int *out) {
  __local int win[66];
  int l = get_local_id(0), g = get_global_id(0);
  win[l + 1] = in[g + 1];
  if (l == 0)
    win[0] = in[g];
  if (l == 63)
    win[65] = in[g + 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = win[l] + 2 * win[l + 1] + win[l + 2];
}
