__kernel void scale(__global const char *x, __global char *y, char f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
