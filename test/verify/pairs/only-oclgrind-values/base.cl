__kernel void f(__global const int *x, __global int *y, __global int *hits) {
  int i = get_global_id(0);
  y[i] = 2 * x[i];
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
