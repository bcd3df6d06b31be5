// RUN: %{python} %{expect} %s
// One work-item of each sub-group or row updates the sum.
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void by_mask(__global int *e, __local int *buf) {
  uint t = get_local_id(1) * get_local_size(0) + get_local_id(0), lane = t & ~32u;
  if (lane == 0)
    atomic_add(e, buf[t]); // miss: two of 64
}

__kernel void by_remainder(__global int *e, __local int *buf) {
  int l = get_local_id(0);
  if (l % 32 == 0)
    atomic_add(e, buf[l]); // miss: one of 32
}

__kernel void by_not(__global int *e, __local int *buf, int n) {
  int l = get_local_id(0);
  if (!(l & 31) && n > 3)
    atomic_add(e, buf[l]); // miss: one of 32
}

__kernel void other_way(__global int *e, __local int *buf) {
  int l = get_local_id(0);
  if (l % 32 != 0)
    return;
  atomic_add(e, buf[l]); // miss: one of 32
}

__kernel void all_but_one(__global int *e, __local int *buf) {
  int l = get_local_id(0);
  if (l != 0)
    atomic_add(e, buf[l]); // HIT: the same element of 'e'
}

__kernel void lower_half(__global int *e, __local int *buf, int n) {
  int l = get_local_id(0);
  if (l < n)
    atomic_add(e, buf[l]); // HIT: the same element of 'e'
}
