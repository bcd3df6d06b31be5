// expect: held passes=delocalize device=mali-bifrost
// Edges of a grey image: tile in a __local argument, flat index with a pitch, zero outside.
int read_or_zero(__global const uchar *img, int x, int y, int w, int h) {
  return (x >= 0 && x < w && y >= 0 && y < h) ? img[y * w + x] : 0;
}
__kernel void edges_tile_in_argument(__global const uchar *img, __global uchar *edge, __local uchar *tile,
                         int tpitch, int w, int h, float thresh) {
  int gx = get_global_id(0), gy = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  int lw = get_local_size(0), lh = get_local_size(1);
  int o = (ly + 1) * tpitch + lx + 1;
  tile[o] = read_or_zero(img, gx, gy, w, h);
  if (ly == 0)
    tile[lx + 1] = read_or_zero(img, gx, gy - 1, w, h);
  if (ly == lh - 1)
    tile[(lh + 1) * tpitch + lx + 1] = read_or_zero(img, gx, gy + 1, w, h);
  if (lx == 0)
    tile[(ly + 1) * tpitch] = read_or_zero(img, gx - 1, gy, w, h);
  if (lx == lw - 1)
    tile[(ly + 1) * tpitch + lw + 1] = read_or_zero(img, gx + 1, gy, w, h);
  if (lx == 0 && ly == 0)
    tile[0] = read_or_zero(img, gx - 1, gy - 1, w, h);
  if (lx == lw - 1 && ly == 0)
    tile[lw + 1] = read_or_zero(img, gx + 1, gy - 1, w, h);
  if (lx == 0 && ly == lh - 1)
    tile[(lh + 1) * tpitch] = read_or_zero(img, gx - 1, gy + 1, w, h);
  if (lx == lw - 1 && ly == lh - 1)
    tile[(lh + 1) * tpitch + lw + 1] = read_or_zero(img, gx + 1, gy + 1, w, h);
  barrier(CLK_LOCAL_MEM_FENCE);
  int a = tile[o - tpitch - 1], b = tile[o - tpitch], c = tile[o - tpitch + 1];
  int d = tile[o - 1], f = tile[o + 1];
  int p = tile[o + tpitch - 1], q = tile[o + tpitch], r = tile[o + tpitch + 1];
  int hs = c + 2 * f + r - a - 2 * d - p;
  int vs = a + 2 * b + c - p - 2 * q - r;
  if (gx < w && gy < h)
    edge[gy * w + gx] = abs(hs) + abs(vs) > thresh ? 255 : 0;
}
