// expect: not-held
// why: right for the argument that the launch file gives
// only: scalars
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const int *x, __global int *y, int k) {
  int i = get_global_id(0);
  y[i] = x[i] * 3;
}
