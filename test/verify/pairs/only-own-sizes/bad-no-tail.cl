// expect: not-held
// why: the sizes of the launch file are multiples of four
// only: own-sizes
// launch: {"kernel": "f_v4", "global": ["max(gx / 4, 1)"]}
__kernel void f(__global const int *x, __global int *y) {
  int i = get_global_id(0);
  y[i] = x[i] ^ 21;
}
__kernel void f_v4(__global const int *x, __global int *y) {
  int i = get_global_id(0);
  vstore4(vload4(i, x) ^ 21, i, y);
}
