// RUN: %{python} %{expect} %s
// The leader of a part of a group, or the partner in it: ports of code that relies on the width of a warp.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void pick(__global const uint *cost, __global uint *out) {
  __local uint buf[256];
  int l = get_local_id(0);
  uint v = cost[l];
  buf[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint best = buf[l / 32 * 32];
  buf[l] = v > 2 * best; // HIT: safe only if 32 work-items run in lockstep
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = best * buf[l / 32 * 32]; // miss: behind a barrier
}
__kernel void by_mask(__global const float *in, __global float *out) {
  __local float s[128];
  uint l = get_local_id(0), lead = l & ~15u;
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float m = s[lead];
  s[l] -= m; // HIT: two work-items write and read one element of 's'
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l];
}
__kernel void partner(__global const int *in, __global int *out) {
  __local int s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)]; // HIT: two work-items write and read one element of 's'
  out[get_global_id(0)] = s[l ^ 1];
}
__kernel void last_of_part(__global const int *in, __global int *out) {
  __local int s[256];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)]; // HIT: two work-items write and read one element of 's'
  out[get_global_id(0)] = s[l | 31];
}
__kernel void by_rest(__global const int *in, __global int *out) {
  __local int s[256];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)]; // HIT: two work-items write and read one element of 's'
  out[get_global_id(0)] = s[l - l % 8];
}

__kernel void ordered(__global const float *in, __global float *out) {
  __local float s[128];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float m = s[l / 32 * 32]; // miss: barriers on both sides
  barrier(CLK_LOCAL_MEM_FENCE);
  s[l] -= m; // miss: behind the barrier
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l ^ 1]; // miss: behind the barrier
}
__kernel void own(__global const float *in, __global float *out) {
  __local float s[128];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  out[get_global_id(0)] = s[l / 32 * 32 + l % 32]; // miss: its own element
}
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void own_row(__global const float *in, __global float *out) {
  __local float s[256];
  int l = get_local_id(0);
  s[(l & ~31) | (l & 31)] = in[l]; // miss: its own element
  out[l] = s[l];
}
