// RUN: %{python} %{expect} %s
__kernel void by_group(__global float *x, int shift) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i >= get_global_size(0)) // HIT: the condition is always false: get_global_id(0) is below get_global_size(0)
    return;
  x[i + shift] = 1.0f;
}
__kernel void plain(__global float *x) {
  size_t i = get_global_id(0);
  if (i < get_global_size(0)) // HIT: always true
    x[i] = 1.0f;
}
__kernel void mirrored(__global float *x) {
  const uint y = get_global_id(1), rows = get_global_size(1);
  if (rows > y) // HIT: always true: get_global_id(1) is below get_global_size(1)
    x[y] = 1.0f;
}
__kernel void inclusive(__global float *x) {
  int i = get_global_id(0);
  int last = get_global_size(0) - 1;
  if (i <= last) // HIT: always true
    x[i] = 1.0f;
}
int outside(int x, int y) { return x >= get_global_size(0) || y >= get_global_size(1); } // HIT: always false
__kernel void helper(__global float *x) {
  if (outside(get_global_id(0), get_global_id(1)))
    return;
  x[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1.0f;
}
__kernel void local_guard(__global float *x) {
  __local float tile[64];
  int l = get_local_id(0);
  if (l < get_local_size(0)) // HIT: get_local_id(0) is below get_local_size(0)
    tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) != get_num_groups(0)) // HIT: get_group_id(0) is below get_num_groups(0)
    x[get_global_id(0)] = tile[63 - l];
}

__kernel void by_count(__global float *x, int n) {
  int i = get_global_id(0);
  if (i < n) // miss: the number of elements
    x[i] = 1.0f;
}
__kernel void last(__global float *x) {
  int i = get_global_id(0);
  if (i == get_global_size(0) - 1) // miss: one work-item has this id
    x[i] = 1.0f;
  if (i < get_global_size(0) - 1) // miss: the last work-item is kept out
    x[i + 1] = 2.0f;
  if (i + 2 < get_global_size(0)) // miss: so are the last two
    x[i + 2] = 2.0f;
}
__kernel void stride(__global float *x, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) // miss: the counter of a loop
    x[i] = 1.0f;
  for (uint k = get_local_id(0); k < get_local_size(0); k += 16) // miss: likewise
    x[k] += 1.0f;
}
__kernel void other(__global float *x) {
  int i = get_global_id(0);
  if (i < get_global_size(1)) // miss: the size of another dimension
    x[i] = 1.0f;
  if (get_local_id(0) < get_local_size(0) / 2) // miss: half of them
    x[i] += 1.0f;
  if (get_group_id(0) == get_num_groups(0) - 1) // miss: the last group
    x[i] += 1.0f;
  if (2 * i < get_global_size(0)) // miss: twice the id
    x[2 * i] = 1.0f;
}
