// expect: refused atomic
// Two kinds of atomics on one element: their order counts.
__kernel void meets_another_atomic(__global const int *data, __global int *bins, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  atomic_add(&bins[data[i] & 15], 3);
  atomic_max(&bins[i & 15], data[i]);
}
