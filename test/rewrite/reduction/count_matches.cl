// expect: held passes=vectorize
// How many elements lie between two limits, their sum, the flags that occur, and how often each occurs.
__kernel void count_matches(__global const int *data, volatile __global int *count, __global uint *total,
                            __global uint *flags, __global uint *often, int low, int high) {
  int i = get_global_id(0);
  int v = data[i];
  if (v >= low && v < high) {
    atomic_inc(count);
    atomic_add(total, (uint)v);
  }
  atomic_or(flags, 1u << (v & 31));
  atomic_sub(&often[v & 31], 1u);
}
