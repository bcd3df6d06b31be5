// expect: held passes=delocalize device=mali-bifrost
// One step of a heat simulation: clamped halo tile with overlapping groups, two staged arrays.
#define BLOCK 16
#define IN_RANGE(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
__kernel void overlapping_groups(__global const float *power, __global const float *temp, __global float *dst,
                           int cols, int rows, float cap, float rx, float ry, float rz) {
  __local float t[BLOCK][BLOCK];
  __local float p[BLOCK][BLOCK];
  int tx = get_local_id(0), ty = get_local_id(1);
  int small = BLOCK - 2;
  int y0 = small * get_group_id(1) - 1;
  int x0 = small * get_group_id(0) - 1;
  int y = y0 + ty, x = x0 + tx;
  int index = cols * y + x;
  if (IN_RANGE(y, 0, rows - 1) && IN_RANGE(x, 0, cols - 1)) {
    t[ty][tx] = temp[index];
    p[ty][tx] = power[index];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int ymin = (y0 < 0) ? -y0 : 0;
  int ymax = (y0 + BLOCK - 1 > rows - 1) ? BLOCK - 1 - (y0 + BLOCK - 1 - rows + 1) : BLOCK - 1;
  int xmin = (x0 < 0) ? -x0 : 0;
  int xmax = (x0 + BLOCK - 1 > cols - 1) ? BLOCK - 1 - (x0 + BLOCK - 1 - cols + 1) : BLOCK - 1;
  int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
  N = (N < ymin) ? ymin : N;
  S = (S > ymax) ? ymax : S;
  W = (W < xmin) ? xmin : W;
  E = (E > xmax) ? xmax : E;
  if (IN_RANGE(tx, 1, BLOCK - 2) && IN_RANGE(ty, 1, BLOCK - 2) && IN_RANGE(tx, xmin, xmax) &&
      IN_RANGE(ty, ymin, ymax))
    dst[index] = t[ty][tx] + cap * (p[ty][tx] + (t[S][tx] + t[N][tx] - 2.0f * t[ty][tx]) * ry +
                 (t[ty][E] + t[ty][W] - 2.0f * t[ty][tx]) * rx + (80.0f - t[ty][tx]) * rz);
}
