// RUN: %{python} %{expect} %s
// Reads of what another work-item writes, whose value no such work-item uses.
#define FENCE CLK_LOCAL_MEM_FENCE

float total(__local float *part, float mine) {
  part[get_local_id(0)] = mine;
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(FENCE);
    if (get_local_id(0) < s)
      part[get_local_id(0)] += part[get_local_id(0) + s]; // miss
  }
  return part[0]; // miss: read by all, used by the one that wrote it
}

__kernel void used_by_writer(__global const float *x, __global float *out, __local float *part) {
  float sum = total(part, x[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = sum;
}

__kernel void used_by_all(__global const float *x, __global float *out, __local float *part) {
  uint l = get_local_id(0);
  part[l] = x[get_global_id(0)];
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(FENCE);
    if (l < s)
      part[l] += part[l + s]; // HIT: write and read one element of 'part'
  }
  float sum = part[0];
  out[get_global_id(0)] = sum;
}

__kernel void used_by_another(__global const float *x, __global float *out, __local float *part) {
  uint l = get_local_id(0);
  part[l] = x[get_global_id(0)];
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(FENCE);
    if (l < s)
      part[l] += part[l + s]; // HIT: write and read one element of 'part'
  }
  float sum = part[0], copy = sum;
  if (l == 1)
    out[get_group_id(0)] = copy;
}

__kernel void other_component(__global float2 *dt, __global float *x, int n) {
  float2 step = dt[0];
  if (get_global_id(0) == 0)
    dt[0].x = step.y; // miss: nobody uses what x was
  if (get_global_id(0) < n)
    x[get_global_id(0)] *= step.y;
}

__kernel void same_component(__global float2 *dt, __global float *x, int n) {
  float2 step = dt[0];
  if (get_global_id(0) == 0)
    dt[0].x = step.y; // HIT: write and read one element of 'dt.x'
  if (get_global_id(0) < n)
    x[get_global_id(0)] *= step.x;
}

__kernel void whole_vector(__global float2 *dt, __global float2 *x, int n) {
  float2 step = dt[0];
  if (get_global_id(0) == 0)
    dt[0].x = step.y; // HIT: write and read one element of 'dt.x'
  if (get_global_id(0) < n)
    x[get_global_id(0)] *= step;
}

__kernel void copied_for_two(__global const float *x, __global float *out, __local float *part) {
  uint l = get_local_id(0);
  part[l] = x[get_global_id(0)];
  barrier(FENCE);
  if (l == 0)
    part[0] = 0.0f; // miss: used by work-item 0 alone, at both places
  float first = part[0], copy = first;
  if (l == 0)
    out[2 * get_group_id(0)] = first;
  if (l == 0)
    out[2 * get_group_id(0) + 1] = copy;
}

__kernel void behind_the_read(__global float4 *v, __global float *x, int n) {
  float4 all = v[1];
  if (get_global_id(0) == 0)
    v[1].w = 0.0f; // miss: x, y and z are used
  x[get_global_id(0)] = all.x + all.y * all.z;
}
