// expect: held passes=delocalize device=mali-bifrost
// A torus: the halo wraps with a remainder, loaded by the items of the edge.
#define B 8
__kernel void torus_tile(__global const int *cells, __global int *next, int n) {
  __local int t[B + 2][B + 2];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0) + 1, j = get_local_id(1) + 1;
  int up = (y + n - 1) % n, down = (y + 1) % n, left = (x + n - 1) % n, right = (x + 1) % n;
  t[j][i] = cells[y * n + x];
  if (j == 1) t[0][i] = cells[up * n + x];
  if (j == B) t[B + 1][i] = cells[down * n + x];
  if (i == 1) t[j][0] = cells[y * n + left];
  if (i == B) t[j][B + 1] = cells[y * n + right];
  if (i == 1 && j == 1) t[0][0] = cells[up * n + left];
  if (i == B && j == 1) t[0][B + 1] = cells[up * n + right];
  if (i == 1 && j == B) t[B + 1][0] = cells[down * n + left];
  if (i == B && j == B) t[B + 1][B + 1] = cells[down * n + right];
  barrier(CLK_LOCAL_MEM_FENCE);
  int alive = t[j - 1][i - 1] + t[j - 1][i] + t[j - 1][i + 1] + t[j][i - 1] + t[j][i + 1] + t[j + 1][i - 1] +
              t[j + 1][i] + t[j + 1][i + 1];
  next[y * n + x] = alive == 3 || (alive == 2 && t[j][i]) ? 1 : 0;
}
