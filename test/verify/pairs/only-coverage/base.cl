__kernel void twice(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = 2 * x[i];
}
