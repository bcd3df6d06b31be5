__kernel void scale(__global const long *x, __global long *y, long f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
