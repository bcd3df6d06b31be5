__kernel void f(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = -x[i];
}
