__kernel void f(__global const int *x, __global int *y, int k) {
  int i = get_global_id(0);
  y[i] = x[i] * k;
}
