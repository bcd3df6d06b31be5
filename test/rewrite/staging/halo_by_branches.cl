// expect: held passes=delocalize device=mali-bifrost
// expect: held
// One-dimensional 7-point sum: the first items of each group fetch the halo on both sides.
#define RADIUS 3
#define BLOCK 64
__kernel void halo_by_branches(__global const int *in, __global int *out) {
  __local int temp[BLOCK + 2 * RADIUS];
  int gindex = get_global_id(0) + RADIUS;
  int lindex = get_local_id(0) + RADIUS;
  temp[lindex] = in[gindex];
  if (get_local_id(0) < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK] = in[gindex + BLOCK];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    result += temp[lindex + offset];
  out[gindex - RADIUS] = result;
}
