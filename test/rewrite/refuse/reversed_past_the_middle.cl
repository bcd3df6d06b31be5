// expect: refused cross-item-dependence
// One item more than half: the two in the middle both change the same pair.
__kernel void reversed_past_the_middle(__global int *v, int n) {
  int i = get_global_id(0);
  if (i < (n + 2) / 2) {
    int t = v[i];
    v[i] = v[n - 1 - i] + 1;
    v[n - 1 - i] = t;
  }
}
