// expect: refused atomic|data-dependent-store
// Stream compaction: the place comes from a counter.
__kernel void append_by_counter(__global const int *data, __global int *out, __global int *count, int t) {
  int i = get_global_id(0);
  if (data[i] > t) {
    int at = atomic_add(count, 1);
    out[at] = 7;
  }
}
