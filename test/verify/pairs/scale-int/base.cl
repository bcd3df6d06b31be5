__kernel void scale(__global const int *x, __global int *y, int f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
