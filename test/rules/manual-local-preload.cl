// RUN: %{python} %{expect} %s
#define SIZE(N) __attribute__((reqd_work_group_size(N, 1, 1)))
__kernel SIZE(64) void by_hand(__global const float *in, __global float *out) {
  __local float tile[64];
  tile[get_local_id(0)] = in[get_global_id(0)]; // HIT: 'tile' is filled from 'in' by hand
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}

__kernel SIZE(16) void small(__global const float *in, __global float *out) {
  __local float tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)]; // miss: a group of 16
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[15 - get_local_id(0)];
}

__kernel void unknown(__global const float *in, __global float *out) {
  __local float tile[64];
  tile[get_local_id(0)] = in[get_global_id(0)]; // miss: the size is not known at compile time
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}

__kernel SIZE(64) void computed(__global const float *in, __global float *out) {
  __local float tile[64];
  tile[get_local_id(0)] = 2.0f * in[get_global_id(0)]; // miss: computed
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}

__kernel SIZE(64) void column(__global const float *in, __global float *out, int w) {
  __local float tile[64];
  tile[get_local_id(0)] = in[get_global_id(0) * w]; // miss: the source is not contiguous
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}

__kernel SIZE(64) void in_rounds(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  float sum = 0.0f;
  for (int m = 0; m < n; m += 64) {
    tile[get_local_id(0)] = in[m + get_local_id(0)]; // HIT: 'tile' is filled from 'in' by hand
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

__kernel SIZE(64) void in_strides(__global const float *in, __global float *out) {
  __local float tile[80];
  for (int k = get_local_id(0); k < 80; k += 64)
    tile[k] = in[64 * get_group_id(0) + k]; // HIT: 'tile' is filled from 'in' by hand
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[get_local_id(0)] + tile[get_local_id(0) + 16];
}

__kernel SIZE(64) void at_the_edge(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  if (get_global_id(0) < n)
    tile[get_local_id(0)] = in[get_global_id(0)]; // miss: guarded element by element
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}

// One work-item copies for all of them.
__kernel SIZE(64) void by_one(__global const float *in, __global float *out) {
  __local float tile[256];
  if (get_local_id(0) == 0)
    for (int k = 0; k < 256; ++k)
      tile[k] = in[k]; // HIT: 'tile' is filled from 'in' by hand
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[4 * get_local_id(0)];
}

__kernel SIZE(64) void by_each_its_own(__global const float *in, __global float *out) {
  __local float tile[256];
  if (get_local_id(0) < 32)
    for (int k = 0; k < 8; ++k)
      tile[8 * get_local_id(0) + k] = in[8 * get_local_id(0) + k]; // miss: not one of them, and half are left out
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[get_local_id(0)];
}

__kernel SIZE(64) void by_one_in_strides(__global const float *in, __global float *out, int w) {
  __local float tile[256];
  if (get_local_id(0) == 0)
    for (int k = 0; k < 256; ++k)
      tile[k] = in[k * w]; // miss: what it copies is apart
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[get_local_id(0)];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pieces(__global const float *in, __global float *out) {
  __local float tile[256];
  int l = get_local_id(0), first = get_group_id(0) * 256;
  for (int k = 0; k < 4; ++k)
    tile[4 * l + k] = in[first + 4 * l + k]; // HIT: 'tile' is filled from 'in' by hand
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[255 - l];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pieces_apart(__global const float *in, __global float *out) {
  __local float tile[256];
  int l = get_local_id(0), first = get_group_id(0) * 512;
  for (int k = 0; k < 4; ++k)
    tile[4 * l + k] = in[first + 8 * l + k]; // miss: half of each piece is left out
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[255 - l];
}
