__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3;
}
