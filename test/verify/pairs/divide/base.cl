__kernel void divide(__global const int *x, __global int *q, __global int *r) {
  int i = get_global_id(0);
  q[i] = x[i] / 7;
  r[i] = x[i] % 8;
}
