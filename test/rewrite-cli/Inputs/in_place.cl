// Each work-item reads what its neighbour writes.
__kernel void in_place(__global int *a) {
  int i = get_global_id(0);
  a[i] = a[i + 1] + 1;
}
