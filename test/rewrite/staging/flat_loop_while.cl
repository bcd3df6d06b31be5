// expect: held passes=delocalize device=mali-bifrost
// A while loop over a tile with its halo; padded rows, clamped coordinates.
#define TW 18
#define TH 18
__kernel void flat_loop_while(__global const float *src, __global float *dst, int w, int h) {
  __local float tile[TH][TW + 1];
  int lid = get_local_id(1) * 16 + get_local_id(0);
  int bx = get_group_id(0) * 16 - 1, by = get_group_id(1) * 16 - 1;
  int k = lid;
  while (k < TW * TH) {
    int ty = k / TW, tx = k % TW;
    int gx = min(max(bx + tx, 0), w - 1);
    int gy = min(max(by + ty, 0), h - 1);
    tile[ty][tx] = src[gy * w + gx];
    k += 256;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
  dst[y * w + x] = 0.25f * (tile[ly - 1][lx] + tile[ly + 1][lx] + tile[ly][lx - 1] + tile[ly][lx + 1]);
}
