// expect: held passes=delocalize device=mali-bifrost
// expect: held
// The whole tile and halo are fetched by a loop over the group, then a 5-wide maximum is taken.
#define GROUP 64
#define HALO 2
__kernel void cooperative_load_loop(__global const short *a, __global short *b, int n) {
  __local short tile[GROUP + 2 * HALO];
  const int start = get_group_id(0) * GROUP - HALO;
  for (int i = get_local_id(0); i < GROUP + 2 * HALO; i += GROUP) {
    int at = start + i;
    at = at < 0 ? 0 : (at >= n ? n - 1 : at);
    tile[i] = a[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int g = get_global_id(0);
  if (g >= n)
    return;
  int l = get_local_id(0);
  short m = tile[l];
  for (int k = 1; k <= 2 * HALO; k++)
    m = max(m, tile[l + k]);
  b[g] = m;
}
