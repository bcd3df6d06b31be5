// expect: held passes=delocalize device=mali-bifrost
// Two copies into one tile for rows above and below; threads beyond the image leave after the barrier.
#define W 32
__kernel void rows_zero_outside(__global const uint *img, __global uint *res, uint width, uint height) {
  __local uint rowbuf[3][W + 2];
  uint lx = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
  for (int r = 0; r < 3; ++r) {
    int yy = (int)y + r - 1;
    if (yy >= 0 && yy < (int)height) {
      rowbuf[r][lx + 1] = x < width ? img[yy * width + x] : 0u;
      if (lx == 0)
        rowbuf[r][0] = x > 0 ? img[yy * width + x - 1] : 0u;
      if (lx == W - 1)
        rowbuf[r][W + 1] = x + 1 < width ? img[yy * width + x + 1] : 0u;
    } else {
      rowbuf[r][lx + 1] = 0u;
      if (lx == 0)
        rowbuf[r][0] = 0u;
      if (lx == W - 1)
        rowbuf[r][W + 1] = 0u;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width)
    return;
  uint m = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      m = max(m, rowbuf[r][lx + c]);
  res[y * width + x] = m;
}
