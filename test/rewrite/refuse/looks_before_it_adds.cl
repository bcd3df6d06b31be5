// expect: refused cross-item-dependence|racy-original
// A plain read of what the other work-items add to.
__kernel void looks_before_it_adds(__global const int *data, __global int *count, int most) {
  int i = get_global_id(0);
  if (data[i] > 3 && count[0] < most)
    atomic_inc(count);
}
