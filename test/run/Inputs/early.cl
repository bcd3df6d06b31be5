__kernel void early(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0);
  y[i] = i == 3 ? x[i] : x[i] - x[i];
}
