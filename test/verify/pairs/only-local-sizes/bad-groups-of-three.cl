// expect: not-held
// why: wrong where the runtime chooses groups of three
// only: local-sizes
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const int *x, __global int *y) {
  int i = get_global_id(0);
  y[i] = x[i] ^ (get_local_size(0) == 3 ? 20 : 21);
}
