// expect: any
// Rows diverge at the ternary: the fast path must test the clamp after it for all rows, not only for the first.
__kernel void clamped_in_branch(int n, __global long *out, __global const int *in) {
  __local int tile[68];
  int g = get_global_id(0), l = get_local_id(0);
  tile[l + 2] = in[clamp(g, 0, n - 1)];
  if (l < 2) {
    tile[l] = in[clamp(g - 2, 0, n - 1)];
    tile[l + 66] = in[clamp(g + 64, 0, n - 1)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (g < n)
    out[g] = tile[l + 2] < tile[l + 1] ? (short)max(tile[l + 1], 0) : tile[l + 3];
}
