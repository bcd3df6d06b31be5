__kernel void f(__global const uint *x, __global uint *y) {
  int i = get_global_id(0);
  y[i] = x[i] * 9u;
}
