// Rows mirrored group by group, through a tile whose pitch is an argument: with another pitch than the host's,
// two work-items share an element of the tile, and the result is nobody's fault.
__kernel void pitched(__global const int *in, __global int *out, int pitch, __local int *tile) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  int lx = get_local_id(0), ly = get_local_id(1);
  tile[ly * pitch + lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * w + x] = tile[ly * pitch + 7 - lx];
}
