// expect: held passes=delocalize device=mali-bifrost
// Interleaved pixels byte by byte through a flat loop: pixel and channel by division, too.
__kernel void flat_loop_of_bytes(__global const uchar *src, __global uchar *dst, int w, int h) {
  __local uchar t[6][54];
  int lid = get_local_id(1) * 16 + get_local_id(0);
  int bx = get_group_id(0) * 16 - 1, by = get_group_id(1) * 4 - 1;
  for (int k = lid; k < 6 * 54; k += 64) {
    int r = k / 54, c = k % 54;
    int gx = clamp(bx + c / 3, 0, w - 1), gy = clamp(by + r, 0, h - 1);
    t[r][c] = src[(gy * w + gx) * 3 + c % 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  if (x < w && y < h)
    for (int ch = 0; ch < 3; ch++) {
      int s = 0;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          s += t[ly + j][(lx + i) * 3 + ch];
      dst[(y * w + x) * 3 + ch] = s / 9;
    }
}
