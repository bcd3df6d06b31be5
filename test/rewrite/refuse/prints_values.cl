// expect: refused opaque-construct
// printf in the middle: order and number of lines are visible.
__kernel void prints_values(__global int *a, int never) {
  int i = get_global_id(0);
  a[i] = a[i] + 1;
  if (never)
    printf("%d %d\n", i, a[i]);
}
