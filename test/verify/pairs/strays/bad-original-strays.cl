// expect: inconclusive
// why: the original reads past its input at every size
// launch: {"kernel": "strays", "global": ["gx"]}
__kernel void strays(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0);
  y[i] = x[i] + x[i + 1];
}
