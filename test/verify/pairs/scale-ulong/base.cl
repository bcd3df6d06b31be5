__kernel void scale(__global const ulong *x, __global ulong *y, ulong f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
