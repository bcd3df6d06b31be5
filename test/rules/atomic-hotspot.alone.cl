// RUN: %{python} %{expect} %s
// A group of one work-item has nobody to wait for.
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void alone(__global const int *x, __global int *count) {
  int g = get_group_id(0);
  for (int k = 0; k < 8; ++k)
    atomic_add(&count[8 * g + k], x[8 * g + k]); // miss: one work-item for each element
}

__attribute__((reqd_work_group_size(4, 1, 1)))
__kernel void four(__global const int *x, __global int *count) {
  int g = get_group_id(0);
  for (int k = 0; k < 8; ++k)
    atomic_add(&count[8 * g + k], x[get_global_id(0)]); // HIT: every work-item of a group updates the same element
}
