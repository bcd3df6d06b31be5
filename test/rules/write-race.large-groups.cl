// RUN: %{python} %{expect} %s
// Trees over groups of a given, large size: too large to enumerate as several groups.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void tail_without_barrier(__global const float *in, __global float *out) {
  __local float part[256];
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 128; s > 0; s >>= 1) {
    if (l < s)
      part[l] += part[l + s]; // HIT: two work-items write and read one element of 'part'
    if (s > 8)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void interleaved(__global const int *in, __global int *out) {
  __local int part[128];
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < 128; s *= 2) {
    if (l % (2 * s) == 0)
      part[l] += part[l + s]; // HIT: two work-items write and read one element of 'part'
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(512, 1, 1))) void all_barriers(__global const float *in, __global float *out) {
  __local float part[512];
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (uint s = 256; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      part[l] += part[l + s]; // miss: a barrier before each level
  }
  if (l == 0)
    out[get_group_id(0)] = part[0]; // miss: its own element
}

__kernel __attribute__((reqd_work_group_size(32, 16, 1))) void two_dimensions(__global const float *in, __global float *out, int w) {
  __local float tile[16][32];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 8; s > 0; s /= 2) {
    if (y < s)
      tile[y][x] += tile[y + s][x]; // miss: a barrier after each level
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (y == 0)
    out[get_global_id(0)] = tile[0][x]; // miss: after the barrier
}
