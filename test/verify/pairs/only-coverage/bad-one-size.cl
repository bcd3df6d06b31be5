// expect: not-held
// why: at a single size the launches leave four work-items out
// only: coverage
// launch: {"kernel": "twice_v4", "global": ["(gx + 3) / 4 - 1 + min(1, (gx - 8 * 26) * (gx - 8 * 26))"]}
__kernel void twice_v4(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0) * 4;
  for (int k = i; k < min(i + 4, n); ++k)
    y[k] = 2 * x[k];
}
