// RUN: %{python} %{expect} %s
//
// A buffer that all groups read tile by tile, and of which each group writes a part.

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
  vel[g] += a * dt;          // miss: no other work-item reads it
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

// Iterations of two work-items access the same elements.
__kernel void windows(__global float *out, __global const float *in) {
  int i = get_global_id(0);
  for (int k = -1; k <= 1; ++k)
    out[i + k] += in[i]; // HIT: write and read one element of 'out'
}

__kernel void pieces(__global float *out, __global const float *in) {
  int i = get_global_id(0);
  for (int k = 0; k < 3; ++k)
    out[3 * i + k] += in[i]; // miss: three of its own
}

__kernel void products(__global float *c, __global const float *a, __global const float *b, int n) {
  int k = get_global_id(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      c[i * n + j] += a[i * n + k] * b[k * n + j]; // HIT: update one element of 'c', and not atomically
}

__kernel void rows(__global float *c, __global const float *a, __global const float *b, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      c[i * n + j] += a[i * n + k] * b[k * n + j]; // miss: a row of its own
}

__kernel void steps(__global double *sum, int n) {
  double x = (get_global_id(0) + 0.5) / n;
  *sum += 4.0 / (1.0 + x * x); // HIT: write and read one element of 'sum', and nothing orders them
}

__kernel void own_steps(__global double *sum, int n) {
  double x = (get_global_id(0) + 0.5) / n;
  sum[get_global_id(0)] += 4.0 / (1.0 + x * x); // miss: its own
}

// A tree of sums without a barrier in its loop.
__kernel void tree(__global int *data, __local int *part) {
  int l = get_local_id(0), n = get_local_size(0), step = 1;
  part[l] = data[get_global_id(0)]; // miss: its own
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = n >> 1; d > 0; d >>= 1) {
    if (l < d) {
      int a = step * (2 * l + 1) - 1, b = step * (2 * l + 2) - 1;
      part[b] += part[a]; // HIT: write and read one element of 'part'
    }
    step <<= 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = part[l];
}

// A block index and an offset for blocks of 64: the kernel assumes groups of 64.
__kernel void blocks(__global int *x) {
  __local int part[128];
  int id = get_global_id(0), l = get_local_id(0), block = id / 64;
  part[l] = x[block * 128 + l];
  part[l + 64] = x[block * 128 + l + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[block * 128 + l] = part[127 - l]; // miss: no other group has the block
  x[block * 128 + l + 64] = part[63 - l];
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void half_blocks(__global int *x) {
  __local int part[32];
  int id = get_global_id(0), l = get_local_id(0), block = id / 64;
  part[l] = x[block * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[block * 64 + l] = part[31 - l]; // HIT: two work-items write
}
