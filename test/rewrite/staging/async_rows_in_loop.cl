// expect: held passes=delocalize device=mali-bifrost
// Rows of a tile by async copies in a loop, each waited for with the next.
__kernel void async_rows_in_loop(__global const int *in, __global int *out, int pitch) {
  __local int tile[10][18];
  int x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 8;
  event_t e = 0;
  for (int r = 0; r < 10; ++r)
    e = async_work_group_copy(tile[r], in + (y0 + r) * pitch + x0, 18, e);
  wait_group_events(1, &e);
  int lx = get_local_id(0), ly = get_local_id(1);
  int best = tile[ly + 1][lx + 1];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      best = max(best, tile[ly + j][lx + i]);
  out[(y0 + ly) * (pitch - 2) + x0 + lx] = best;
}
