__kernel void scale(__global const uchar *x, __global uchar *y, uchar f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
