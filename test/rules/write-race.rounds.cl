// RUN: %{python} %{expect} %s
//
// What all groups read, tile by tile, and each writes a part of.

__kernel void bodies(__global float4 *pos, __global float4 *vel, __local float4 *tile, float dt, int n) {
  int g = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  float4 me = pos[g], a = (float4)(0.0f);
  for (int b = 0; b < n / size; ++b) {
    tile[l] = pos[b * size + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < size; ++j)
      a += tile[j] - me;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  vel[g] += a * dt;          // miss: nobody else reads it
  pos[g] = me + vel[g] * dt; // HIT: those of other groups read, and a barrier orders one group only
}

__kernel void bodies_to(__global const float4 *pos, __global float4 *next, __local float4 *tile, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  float4 a = (float4)(0.0f);
  for (int b = 0; b < n; b += 64) {
    tile[l] = pos[b + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; ++j)
      a += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  next[g] = a; // miss: another buffer
}

__kernel void halves(__global float *x, __local float *tile, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  float a = 0.0f;
  for (int b = 0; b < n; b += 64) {
    tile[l] = x[b + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; ++j)
      a += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  x[n + g] = a; // miss: behind what is read
}

__kernel void of_the_group(__global float *x, __local float *tile) {
  int l = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size * 8;
  float a = 0.0f;
  for (int b = 0; b < 8; ++b) {
    tile[l] = x[first + b * size + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < size; ++j)
      a += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  x[first + l] = a; // miss: the group's own part
}

__kernel void summed(__global float *part, __global float *sum) {
  part[get_global_id(0)] *= 2.0f; // HIT: write and read one element of 'part'
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_global_id(0) == 0) {
    float s = 0.0f;
    for (int i = 0; i < (int)get_global_size(0); ++i)
      s += part[i];
    *sum = s;
  }
}

__kernel void summed_in_groups(__global float *part, __global float *sum) {
  int size = get_local_size(0), first = get_group_id(0) * size;
  part[get_global_id(0)] *= 2.0f; // miss: the group's own part is read
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float s = 0.0f;
    for (int i = 0; i < size; ++i)
      s += part[first + i];
    sum[get_group_id(0)] = s;
  }
}
