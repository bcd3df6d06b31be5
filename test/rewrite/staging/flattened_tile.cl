// expect: held passes=delocalize device=mali-bifrost
// expect: held
// A 5-point step from a tile held in a flat array, no halo: items at the tile's edge read global memory.
#define BX 16
#define BY 8
__kernel void flattened_tile(__global const float *grid, __global float *next, int w, int h) {
  __local float cell[BX * BY];
  const int gx = get_global_id(0), gy = get_global_id(1);
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int g = gy * w + gx;
  const int l = ly * BX + lx;
  cell[l] = grid[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (gx > 0 && gx < w - 1 && gy > 0 && gy < h - 1) {
    float left = lx > 0 ? cell[l - 1] : grid[g - 1];
    float right = lx < BX - 1 ? cell[l + 1] : grid[g + 1];
    float up = ly > 0 ? cell[l - BX] : grid[g - w];
    float down = ly < BY - 1 ? cell[l + BX] : grid[g + w];
    next[g] = 0.25f * (left + right + up + down) - cell[l];
  } else {
    next[g] = cell[l];
  }
}
