__kernel void f(__global const int *x, __global int *y, __global int *hits) {
  int i = get_global_id(0);
  int rises = 0;
  for (int k = 0; k < 9; ++k)
    rises += x[i + k] < x[i + k + 1];
  y[i] = rises;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
