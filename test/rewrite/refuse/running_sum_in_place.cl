// expect: refused racy-original
// A running sum that believes work-items run in order.
__kernel void running_sum_in_place(__global int *v, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n)
    v[i] += v[i - 1];
}
