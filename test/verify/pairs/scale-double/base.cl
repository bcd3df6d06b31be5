__kernel void scale(__global const double *x, __global double *y, double f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
