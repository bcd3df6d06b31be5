__kernel void twice(__global const int *x, __global int *y) {
  int i = get_global_id(0);
  y[i] = 2 * x[i];
}
