// RUN: %{python} %{expect} %s
#define FENCE CLK_LOCAL_MEM_FENCE
__kernel void early(__global float *x, int n) {
  __local float part[64];
  if (get_global_id(0) >= n)
    return;
  part[get_local_id(0)] = x[get_global_id(0)];
  barrier(FENCE); // HIT: not all work-items of a group reach this barrier
  x[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

__kernel void branch(__global float *x) {
  __local float part[64];
  part[get_local_id(0)] = x[get_global_id(0)];
  if (get_local_id(0) < 32)
    barrier(FENCE); // HIT: not all work-items
  x[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

__kernel void loop(__global float *x) {
  __local float part[64];
  for (int k = 0; k < get_local_id(0); ++k) {
    part[get_local_id(0)] = x[get_global_id(0)];
    barrier(FENCE); // HIT: not all work-items
  }
  x[get_global_id(0)] = part[get_local_id(0)];
}

__kernel void straight(__global float *x) {
  __local float part[64];
  part[get_local_id(0)] = x[get_global_id(0)];
  barrier(FENCE); // miss: all of them
  x[get_global_id(0)] = part[get_local_id(0) ^ 1];
}

__kernel void uniform_branch(__global float *x, int flag) {
  __local float part[64];
  part[get_local_id(0)] = x[get_global_id(0)];
  if (flag)
    barrier(FENCE); // miss: an argument
  x[get_global_id(0)] = part[get_local_id(0)];
}

__kernel void group(__global float *x) {
  __local float part[64];
  part[get_local_id(0)] = x[get_global_id(0)];
  if (get_group_id(0) == 3)
    barrier(FENCE); // miss: the same in a group
  x[get_global_id(0)] = part[get_local_id(0)];
}

__kernel void reduction(__global float *x) {
  __local float part[64];
  part[get_local_id(0)] = x[get_global_id(0)];
  for (int s = 32; s > 0; s /= 2) {
    barrier(FENCE); // miss: the loop is the same for all
    if (get_local_id(0) < s)
      part[get_local_id(0)] += part[get_local_id(0) + s];
  }
  if (get_local_id(0) == 0)
    x[get_group_id(0)] = part[0];
}
