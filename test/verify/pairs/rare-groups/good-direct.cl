// expect: held
// why: without the copy
// launch: {"kernel": "mirror", "global": ["gx"], "local": ["lx"]}
__kernel void mirror(__global const int *x, __global int *y) {
  int i = get_global_id(0), l = get_local_id(0);
  y[i] = x[i - l + 63 - l];
}
