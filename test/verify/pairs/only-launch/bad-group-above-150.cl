// expect: not-held
// why: above 150 work-items the group size divides the range at few sizes only
// only: launch
// launch: {"kernel": "twice_g", "global": ["gx"], "local": ["min(gx, 15 * 10)"]}
__kernel void twice_g(__global const int *x, __global int *y) {
  int i = get_global_id(0);
  y[i] = x[i] << 1;
}
