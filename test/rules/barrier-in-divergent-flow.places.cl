// RUN: %{python} %{expect} %s
// A kernel that takes its data as groups is launched for them: information.
// RUN: clmali-lint --device=mali --checks=-*,barrier-in-divergent-flow --fail-on=warning %s -- -DGROUPS_ONLY
// RUN: not clmali-lint --device=mali --checks=-*,barrier-in-divergent-flow --fail-on=warning %s
__kernel void windows(__global const float *in, __global float *out, __local float *part, int size0, int width, int count, int across, int down) {
  int id = get_global_id(0), local_id = get_local_id(0);
  if (id >= size0)
    return;
  int x = local_id % across, y = local_id / across;
  float best = 0.0f;
  for (int k = 0; k < count; ++k) {
    best = fmax(best, in[y * width + x]);
    y += down;
  }
  part[local_id] = best;
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  out[id] = part[local_id ^ 1]; // miss: no barrier
}

__kernel void one_group(__global const float4 *in, __global float4 *out, int size0, int size1) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= size0 || y >= size1)
    return;
  __local float4 part[64];
  part[x] = in[y * size0 + x];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  if (x == 0)
    out[y] = part[0] + part[size0 - 1]; // miss: no barrier
}

// If groups are 8 x 8, a return that depends on dimension 2 ends whole groups.
__kernel void planes(__global const float4 *in, __global float4 *out, __local float4 *part, int size2) {
  int i = get_local_id(0), j = get_local_id(1), k = get_global_id(2);
  if (k >= size2)
    return;
  int at = j * 8 + i;
  part[at] = in[k * 64 + at];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  if (at == 0)
    out[k] = part[0] + part[63]; // miss: no barrier
}

#ifndef GROUPS_ONLY
__kernel void rows(__global const float *in, __global float *out, __local float *part, int size1) {
  int i = get_local_id(0), j = get_local_id(1), y = get_global_id(1);
  if (y >= size1)
    return;
  part[j * 8 + i] = in[y * 8 + i];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  out[y * 8 + i] = part[(j ^ 1) * 8 + i]; // miss: no barrier
}

__kernel void one_each(__global const float *in, __global float *out, int size0) {
  int id = get_global_id(0), local_id = get_local_id(0);
  if (id >= size0)
    return;
  __local float part[64];
  part[local_id] = in[id];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  out[id] = part[local_id ^ 1]; // miss: no barrier
}

// What an atomic answers, it answers each work-item alone.
__kernel void until_found(__global float *x, __global int *found, __local float *part) {
  int l = get_local_id(0);
  if (atomic_or(found, 0) != 0)
    return;
  part[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: where the data of a group's work-items differ
  x[get_global_id(0)] = part[l ^ 1];
}

__kernel void rounds_of_items(__global float *x, __global int *next, int n) {
  for (;;) {
    int at = atomic_inc(next);
    if (at >= n)
      break;
    x[at] *= 2.0f;
    barrier(CLK_GLOBAL_MEM_FENCE); // HIT: where the data of a group's work-items differ
  }
}

__kernel void rounds_of_groups(__global float *x, __global int *next, int n, __local int *at) {
  for (;;) {
    if (get_local_id(0) == 0)
      *at = atomic_inc(next);
    barrier(CLK_LOCAL_MEM_FENCE); // miss: one work-item tests for all of them
    int first = *at;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: and all of them have got it
    if (first >= n)
      break;
    x[first + get_local_id(0)] *= 2.0f;
  }
}

__kernel void stopped_together(__global float *x, __local int *stop) {
  if (get_local_id(0) == 0)
    *stop = x[get_group_id(0)] < 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: there is no condition
  if (atomic_or(stop, 0))
    return;
  barrier(CLK_GLOBAL_MEM_FENCE); // miss: it is not set any more
  x[get_global_id(0)] *= 2.0f;
}
#endif
