// The fourth element is written by its neighbour, and wrongly.
__kernel void early(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0);
  if (i != 3)
    y[i] = 0;
  if (i == 2 && n > 3)
    y[i + 1] = x[i + 1] + 1;
}
__kernel void left_out(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0);
  if (i != 3)
    y[i] = 0;
}
