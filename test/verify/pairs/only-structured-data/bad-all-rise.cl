// expect: not-held
// why: one too few where all ten values rise
// only: structured-data
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const int *x, __global int *y, __global int *hits) {
  int i = get_global_id(0);
  int rises = 0;
  for (int k = 0; k < 9; ++k)
    rises += x[i + k] < x[i + k + 1];
  y[i] = min(rises, 8);
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
