// expect: held passes=delocalize device=mali-bifrost
// The flat number of an item walks a 20x20 tile: rows and columns by division, edges clamped.
#define T 16
#define R 2
#define E (T + 2 * R)
__kernel void tile_by_division(__global const uchar *src, __global uchar *dst, int w, int h) {
  __local uchar tile[E * E];
  int lx = get_local_id(0), ly = get_local_id(1);
  int flat = ly * T + lx;
  int ox = get_group_id(0) * T - R, oy = get_group_id(1) * T - R;
  for (int i = flat; i < E * E; i += T * T) {
    int ty = i / E, tx = i % E;
    int sx = clamp(ox + tx, 0, w - 1), sy = clamp(oy + ty, 0, h - 1);
    tile[i] = src[sy * w + sx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  int sum = 0;
  for (int j = 0; j <= 2 * R; ++j)
    for (int i = 0; i <= 2 * R; ++i)
      sum += tile[(ly + j) * E + lx + i];
  dst[y * w + x] = sum / 25;
}
