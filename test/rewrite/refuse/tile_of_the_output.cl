// expect: refused aliasing run=delocalize
// The launch passes one buffer twice: the tile is all that keeps what is read from what is written.
__kernel void tile_of_the_output(__global const int *in, __global int *out) {
  __local int t[16];
  int g = get_global_id(0), l = get_local_id(0);
  t[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[15 - l];
}
