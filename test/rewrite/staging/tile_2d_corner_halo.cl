// expect: held passes=delocalize device=mali-bifrost
// expect: held
// 3x3 mean of a padded image: tile of 18x18 for 16x16 items, edges and corners by their own branches.
#define B 16
__kernel void tile_2d_corner_halo(__global const float *src, __global float *dst, int pitch) {
  __local float t[B + 2][B + 2];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  t[ly + 1][lx + 1] = src[y * pitch + x];
  if (lx == 0)
    t[ly + 1][0] = src[y * pitch + x - 1];
  if (lx == B - 1)
    t[ly + 1][B + 1] = src[y * pitch + x + 1];
  if (ly == 0)
    t[0][lx + 1] = src[(y - 1) * pitch + x];
  if (ly == B - 1)
    t[B + 1][lx + 1] = src[(y + 1) * pitch + x];
  if (lx == 0 && ly == 0)
    t[0][0] = src[(y - 1) * pitch + x - 1];
  if (lx == B - 1 && ly == 0)
    t[0][B + 1] = src[(y - 1) * pitch + x + 1];
  if (lx == 0 && ly == B - 1)
    t[B + 1][0] = src[(y + 1) * pitch + x - 1];
  if (lx == B - 1 && ly == B - 1)
    t[B + 1][B + 1] = src[(y + 1) * pitch + x + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0.0f;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      s += t[ly + j][lx + i];
  dst[y * pitch + x] = s / 9.0f;
}
