// expect: held passes=delocalize device=mali-bifrost
// expect: held passes=pin-work-group-size,coarsen device=powervr-rogue
// The two iterations of a flat loop over a tile, unrolled.
__kernel void steps_written_out(__global const uchar *src, __global uchar *dst, int w, int h) {
  __local uchar t[10][18];
  int lid = get_local_id(1) * 16 + get_local_id(0);
  int ox = get_group_id(0) * 16, oy = get_group_id(1) * 8;
  int k = lid;
  int yy = clamp(oy + k / 18 - 1, 0, h - 1), xx = clamp(ox + k % 18 - 1, 0, w - 1);
  t[k / 18][k % 18] = src[yy * w + xx];
  k = lid + 128;
  if (k < 180) {
    yy = clamp(oy + k / 18 - 1, 0, h - 1);
    xx = clamp(ox + k % 18 - 1, 0, w - 1);
    t[k / 18][k % 18] = src[yy * w + xx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  if (x < w && y < h) {
    int s = 0;
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++)
        s += t[ly + j][lx + i];
    dst[y * w + x] = s / 9;
  }
}
