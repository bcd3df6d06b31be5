// expect: any
// Alternating neighbours: every other one reads four positions that its neighbour must not read. Only the store is left
// for lanes.
__kernel void checkerboard_branches(__global const ushort *raw, __global ushort *green, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x <= 0 || y <= 0 || x >= w - 1 || y >= h - 1)
    return;
  int i = y * w + x;
  if (((x + y) & 1) == 0)
    green[i] = raw[i];
  else
    green[i] = (ushort)((raw[i - 1] + raw[i + 1] + raw[i - w] + raw[i + w] + 2) >> 2);
}
