// expect: refused nothing-pays|cross-item-dependence
// One work-item writes one number.
__kernel void single_item(__global int *flag, int v) {
  flag[0] = v;
}
