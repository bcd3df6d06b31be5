__kernel void scale(__global const uint *x, __global uint *y, uint f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
