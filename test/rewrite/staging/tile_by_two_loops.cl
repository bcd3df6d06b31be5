// expect: held passes=delocalize device=mali-bifrost
// Two nested copy loops with the local sizes as steps fill a tile with a halo of one.
#define TX 16
#define TY 8
__kernel void tile_by_two_loops(__global const float *in, __global float *out, int pitch) {
  __local float s[TY + 2][TX + 2];
  int lx = get_local_id(0), ly = get_local_id(1);
  int bx = get_group_id(0) * TX, by = get_group_id(1) * TY;
  for (int j = ly; j < TY + 2; j += TY)
    for (int i = lx; i < TX + 2; i += TX)
      s[j][i] = in[(by + j) * pitch + bx + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(by + ly + 1) * pitch + bx + lx + 1] =
      0.25f * (s[ly][lx + 1] + s[ly + 2][lx + 1] + s[ly + 1][lx] + s[ly + 1][lx + 2]) - s[ly + 1][lx + 1];
}
