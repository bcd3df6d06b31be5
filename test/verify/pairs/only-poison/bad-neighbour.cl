// expect: not-held
// why: reads a neighbour that is not there; what stands there is large, or not
// only: poison
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const char *x, __global char *y, int n) {
  int i = get_global_id(0);
  char v = x[i] & 63;
  y[i] = min(v, x[i + 1]);
}
