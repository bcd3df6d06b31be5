__kernel void scale(__global const ushort *x, __global ushort *y, ushort f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
