// expect: held passes=delocalize device=mali-bifrost
// Planes, rows and columns of a tile by remainders of remainders.
__kernel void volume_by_remainders(__global const float *src, __global float *dst, int w, int h, int d) {
  __local float t[6][6][10];
  int l = (get_local_id(2) * 4 + get_local_id(1)) * 8 + get_local_id(0);
  int x0 = get_group_id(0) * 8 - 1, y0 = get_group_id(1) * 4 - 1, z0 = get_group_id(2) * 4 - 1;
  for (int k = l; k < 360; k += 128) {
    int z = k / 60;
    int m = k % 60;
    int y = m / 10, x = m % 10;
    int gx = x0 + x, gy = y0 + y, gz = z0 + z;
    float v = 0.0f;
    if (gx >= 0 && gx < w && gy >= 0 && gy < h && gz >= 0 && gz < d)
      v = src[(gz * h + gy) * w + gx];
    t[z][y][x] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int a = get_local_id(0) + 1, b = get_local_id(1) + 1, c = get_local_id(2) + 1;
  if (x < w && y < h && z < d)
    dst[(z * h + y) * w + x] = t[c][b][a] * 0.4f + 0.1f * (t[c][b][a - 1] + t[c][b][a + 1] + t[c][b - 1][a] + t[c][b + 1][a] + t[c - 1][b][a] + t[c + 1][b][a]);
}
