// expect: held passes=vectorize device=mali-bifrost
// A volatile array of the kernel's own, read in another order behind the barrier.
kernel void volatile_mirror(global const float *in, global float *out) {
  local volatile float rows[4 * 64];
  int l = get_local_id(0), g = get_global_id(0);
  rows[l] = in[g] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = rows[63 - l];
}
