// RUN: %{python} %{expect} %s
// A race does not depend on how far apart the two elements are, nor on where a loop begins.
#define FAR(k) ((k) * 2)
#define GROUP __attribute__((reqd_work_group_size(64, 1, 1)))

__kernel void by_five(__global int *x, int n) {
  int i = get_global_id(0);
  if (i + 5 < n)
    x[i + 5] = x[i] + 1; // HIT: two work-items write and read one element of 'x'
}

__kernel void by_eight_back(__global float *x, uint n) {
  uint i = get_global_id(0);
  if (i < FAR(4) || i >= n)
    return;
  x[i - FAR(4)] = 0.5f * x[i]; // HIT: two work-items write and read one element of 'x'
}

float at(__global const float *p, int i) { return p[i]; }

__kernel void by_six_rows(__global float *x, int w, int h) {
  int c = get_global_id(0), r = get_global_id(1);
  if (c < w && r + 6 < h)
    x[(r + 6) * w + c] = at(x, r * w + c); // HIT: two work-items write and read one element of 'x'
}

__kernel void six_and_none(__global float *x, __global const float *y, int n) {
  int i = get_global_id(0);
  if (i + 6 < n)
    x[i + 6] = y[i]; // miss: it reads another buffer
}

__kernel void halves(__global float *x) {
  int i = get_global_id(0);
  if (i < 8)
    x[i + 8] = x[i]; // miss: eight work-items, and eight elements of each
}

__kernel void even_and_odd(__global float *x, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[2 * i + 5] = x[2 * i]; // miss: one is even, one is odd
}

__kernel void rows_of_others(__global float *x, int w, int h) {
  int c = get_global_id(0), r = get_global_id(1);
  if (c < w && r < 6)
    x[(r + 6) * w + c] = at(x, r * w + c); // miss: six rows are read, the next six are written
}

__kernel void by_groups_of_eight(__global int *x) {
  int i = 16 * get_group_id(0) + get_local_id(0) % 8;
  x[i + 8] = x[i] + 1; // miss: the upper half of sixteen elements is written, the lower half is read
}

// 64 work-items in two parts, and data choose how far both go.
GROUP __kernel void loop_from_part(__global int *restrict out, __global const int *restrict in, __global const int *count) {
  __local int part[64];
  int l = get_local_id(0), sum = 0;
  for (int r = l >> 5; r < count[0]; r += 2) {
    part[l] = in[r * 32 + (l & 31)]; // HIT: two work-items write and read one element of 'part'
    sum += part[l & ~31];
  }
  out[get_global_id(0)] = sum;
}

GROUP __kernel void while_from_part(__global int *restrict out, __global const int *restrict in, __global const int *count) {
  __local int part[64];
  int l = get_local_id(0), sum = 0, r = l / 32;
  while (count[1] > r) {
    part[l] = in[r * 32 + l % 32]; // HIT: two work-items write and read one element of 'part'
    sum += part[l / 32 * 32 + 31];
    r += 2;
  }
  out[get_global_id(0)] = sum;
}

GROUP __kernel void own_element(__global int *restrict out, __global const int *restrict in, __global const int *count) {
  __local int part[64];
  int l = get_local_id(0), sum = 0;
  for (int r = l >> 5; r < count[0]; r += 2) {
    part[l] = in[r * 32 + (l & 31)]; // miss: each reads its own
    sum += part[l];
  }
  out[get_global_id(0)] = sum;
}

// Groups of one work-item.
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void alone(__global const float *restrict x, __global float *restrict y) {
  __local float tile[16];
  int g = get_group_id(0);
  for (int k = 0; k < 16; ++k)
    tile[k] = x[16 * g + k]; // miss: nobody else writes it
  for (int k = 0; k < 16; ++k)
    y[16 * g + k] = tile[15 - k]; // miss: the same
}

__attribute__((reqd_work_group_size(2, 1, 1)))
__kernel void in_pairs(__global const float *restrict x, __global float *restrict y) {
  __local float tile[16];
  int g = get_group_id(0);
  for (int k = 0; k < 16; ++k)
    tile[k] = x[16 * g + k]; // HIT: all work-items that get here write
  y[2 * g + get_local_id(0)] = tile[3];
}

// Work-items of another row store the same value.
__kernel void rows_alike(__global const float *restrict in, __global float *restrict out, int w) {
  __local float line[40], twice[32];
  int l = get_local_id(0), r = get_local_id(1);
  for (int k = l + 8 * r; k < 40; k += 32)
    line[k] = in[get_group_id(0) * 40 + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k)
    twice[k * 8 + l] = 2.0f * line[k * 8 + l + 1]; // HIT: two work-items write the same value to one element of 'twice'
  out[get_global_id(1) * w + get_global_id(0)] = twice[l];
}

__kernel void rows_differ(__global const float *restrict in, __global float *restrict out, int w) {
  __local float line[40], twice[32];
  int l = get_local_id(0), r = get_local_id(1);
  for (int k = l + 8 * r; k < 40; k += 32)
    line[k] = in[get_group_id(0) * 40 + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; ++k)
    twice[k * 8 + l] = 2.0f * line[k * 8 + r + 1]; // HIT: two work-items write to one element of 'twice'
  out[get_global_id(1) * w + get_global_id(0)] = twice[l];
}
