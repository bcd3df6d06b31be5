// RUN: %{python} %{expect} %s
// The result of a missing function does not give the number of work-items.
__kernel void price(__global const float *start, __global float *prices, uint n) {
  float s = geometric_mean(n, start);
  prices[0] = s * 2.0f; // miss: no work-item id is used, and the host launches one work-item
}

__kernel void price_each(__global const float *start, __global float *prices, uint n) {
  float s = geometric_mean(n, start) + start[get_global_id(0)];
  prices[0] = s * 2.0f; // HIT: two work-items write to one element of 'prices'
}

// One work-item writes for its group, and work-items of other groups read the value.
__kernel void sums_of_groups(__global int *sums, __global int *out) {
  int b = get_group_id(0), before = 0;
  if (get_local_id(0) == 0)
    sums[b] = b * b; // HIT: work-items write elements of 'sums' that those of other groups read, and a barrier orders one group only
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int i = 0; i < b; ++i)
    before += sums[i];
  out[get_global_id(0)] = before;
}

__kernel void sum_of_its_own(__global int *sums, __global int *out) {
  int b = get_group_id(0);
  if (get_local_id(0) == 0)
    sums[b] = b * b;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = sums[b]; // miss: written by its own group
}

__kernel void sums_in_turn(__global int *sums, __global int *done, __global int *out) {
  int b = get_group_id(0), before = 0;
  if (get_local_id(0) == 0) {
    sums[b] = b * b;
    while (atomic_add(done, 0) < b)
      ;
    atomic_inc(done);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int i = 0; i < b; ++i)
    before += sums[i]; // miss: an atomic operation orders the groups
  out[get_global_id(0)] = before;
}
