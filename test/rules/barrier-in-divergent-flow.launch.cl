// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --checks=-*,barrier-in-divergent-flow --fail-on=error %s | FileCheck %s
// CHECK: info: kernel 'whole_group'
// CHECK: warning: kernel 'data'
// CHECK: warning: kernel 'both'

// The group goes over the row together: what its ids are compared with is the launch.
__kernel void whole_group(__global const float *in, __global float *out, int size0, int size1, int n) {
  __local float part[64];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
  if (x < size0 && y < size1) {
    float sum = 0.0f;
    for (int i = l; i < n; i += 64)
      sum += in[y * n + i];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group
    if (l == 0)
      out[y] = part[0] + part[1];
  }
}

__kernel void data(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int x = get_global_id(0), l = get_local_id(0);
  if (x >= n)
    return;
  part[l] = in[x];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group
  out[x] = part[l ^ 1];
}

// In two dimensions a group may cross the edge.
__kernel void both(__global const float *in, __global float *out, int size0, int size1, int n) {
  __local float part[64];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0), m = get_local_id(1);
  if (x >= size0 || y >= size1)
    return;
  float sum = 0.0f;
  for (int i = l; i < n; i += 16)
    sum += in[y * n + i];
  part[m * 16 + l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group
  out[y] = part[m * 16];
}

__kernel void together(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int y = get_group_id(1), l = get_local_id(0);
  float sum = 0.0f;
  for (int i = l; i < n; i += 64)
    sum += in[y * n + i];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE); // miss: no guard
  if (l == 0)
    out[y] = part[0] + part[1];
}

__kernel void of_groups(__global const float *in, __global float *out, int rows, int n) {
  __local float part[64];
  int y = get_group_id(1), l = get_local_id(0);
  if (y >= rows)
    return;
  part[l] = in[y * n + l];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: the same for a group
  if (l == 0)
    out[y] = part[0] + part[1];
}

__kernel void alone(__global const float *in, __global float *out, int n) {
  int x = get_global_id(0);
  if (x >= n)
    return;
  out[x] = in[x]; // miss: no barrier
}
