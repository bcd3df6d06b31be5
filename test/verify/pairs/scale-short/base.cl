__kernel void scale(__global const short *x, __global short *y, short f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
