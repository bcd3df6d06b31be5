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

__kernel void around_all_the_rest(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0), g = get_global_id(0);
  if (g < n) {
    part[l] = in[g];
    barrier(FENCE); // HIT: unless every group is whole
    out[g] = part[l ^ 1];
    barrier(FENCE); // miss: one word for one condition
  }
}

__kernel void around_a_part(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0), g = get_global_id(0);
  if (g < n) {
    part[l] = in[g];
    barrier(FENCE); // HIT: the behaviour is undefined
  }
  out[g] = part[l ^ 1];
}

__kernel void around_the_rest_of_a_group(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0), g = get_global_id(0);
  if (get_group_id(0) < n) {
    part[l] = in[g];
    barrier(FENCE); // miss: the same for the whole group
    out[g] = part[l ^ 1];
  }
}

__kernel void tiles(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0), g = get_group_id(0) * 64 + l;
  if (g >= n)
    return;
  part[l] = in[g];
  barrier(FENCE); // HIT: unless every group is whole
  out[g] = part[l ^ 1];
}

__kernel void tiles_in_range(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0), g = get_group_id(0) * 64 + l;
  part[l] = g < n ? in[g] : 0.0f;
  barrier(FENCE); // miss: no work-item has returned
  if (g < n)
    out[g] = part[l ^ 1];
}

__kernel void behind_a_number(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  if (l >= 64)
    return;
  part[l] = in[get_global_id(0)];
  barrier(FENCE); // HIT: unless no group is that large
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void below_a_number(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  if (l < 2)
    return;
  part[l] = in[get_global_id(0)];
  barrier(FENCE); // HIT: the behaviour is undefined
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void idle_behind_a_number(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  if (l < 64)
    part[l] = in[get_global_id(0)];
  barrier(FENCE); // miss: all of them come here
  if (l < 64)
    out[get_global_id(0)] = part[l ^ 1];
}

__kernel void behind_the_last_group(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0);
  if (get_group_id(0) >= n)
    return;
  part[l] = in[get_global_id(0)];
  barrier(FENCE); // miss: the whole group leaves
  out[get_global_id(0)] = part[l ^ 1];
}

// A value from memory is uniform; a value that depends on the id is not.
__kernel void counted_by_one(__global float *x, __local float *g, int n) {
  __local float error;
  int l = get_local_id(0);
  if (l == 0)
    error = x[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  int rounds = 0;
  while (error > 1e-4f && rounds < 1000) {
    if (l == 0)
      rounds++;
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
    if (l == 0)
      error = g[0];
  }
}

__kernel void counted_by_all(__global float *x, __local float *g, int n) {
  __local float error;
  int l = get_local_id(0);
  if (l == 0)
    error = x[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  int rounds = 0;
  while (error > 1e-4f && rounds < 1000) {
    rounds++;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all count
    if (l == 0)
      error = g[0];
  }
}

__kernel void flag_and_id(__global float *x, __global const int *flag, __local float *g) {
  int l = get_local_id(0);
  if (flag[0] && l < 16) {
    g[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
    x[l] = g[15 - l];
  }
}

__kernel void flag_and_group(__global float *x, __global const int *flag, __local float *g) {
  int l = get_local_id(0);
  if (flag[0] && get_group_id(0) < 16) {
    g[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: a group comes as a whole
    x[l] = g[15 - l];
  }
}

__kernel void flag_and_nothing(__global float *x, __global const int *flag, __local float *g) {
  int l = get_local_id(0);
  bool going = get_global_id(0) >= 0;
  while (going) {
    g[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: an id is never negative
    x[l] = g[15 - l];
    if (flag[0])
      break;
  }
}

// A bound rounded up to whole groups: all work-items of a group have the same trip count.
__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void rows_of_groups(__global const float *in, __global float *out, uint rows) {
  __local float tile[8][32];
  uint x = get_local_id(0), y = get_local_id(1);
  uint whole = (rows + 255) / 256 * 256;
  for (uint i = get_group_id(0) * 8 + y; i < whole; i += 8 * get_num_groups(0)) {
    tile[y][x] = i < rows ? in[i * 32 + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the bound is a multiple of the group's step
    if (i < rows)
      out[i * 32 + x] = tile[y][31 - x];
  }
}

__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void rows_as_they_are(__global const float *in, __global float *out, uint rows) {
  __local float tile[8][32];
  uint x = get_local_id(0), y = get_local_id(1);
  for (uint i = get_group_id(0) * 8 + y; i < rows; i += 8 * get_num_groups(0)) {
    tile[y][x] = in[i * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
    out[i * 32 + x] = tile[y][31 - x];
  }
}

__attribute__((reqd_work_group_size(32, 16, 1)))
__kernel void rows_of_half_groups(__global const float *in, __global float *out, uint rows) {
  __local float tile[16][32];
  uint x = get_local_id(0), y = get_local_id(1);
  for (uint i = get_group_id(0) * 16 + y; i < rows / 8 * 8; i += 16 * get_num_groups(0)) {
    tile[y][x] = in[i * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
    out[i * 32 + x] = tile[y][31 - x];
  }
}

__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void rows_that_end(__global const float *in, __global float *out, uint rows) {
  __local float tile[8][32];
  uint x = get_local_id(0), y = get_local_id(1);
  uint whole = (rows + 255) / 256 * 256;
  for (uint i = get_group_id(0) * 8 + y; i < whole; i += 8 * get_num_groups(0)) {
    if (i >= rows)
      break;
    tile[y][x] = in[i * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
    out[i * 32 + x] = tile[y][31 - x];
  }
}

__kernel void steps_of_a_group(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  int l = get_local_id(0);
  for (int i = l; i < (n + 63) / 64 * 64; i += 64) {
    tile[l] = i < n ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: groups of the step's size
    if (i < n)
      out[i] = tile[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same loop
  }
}

// What data of their own tell work-items.
__kernel void own_rounds(__global const int *n, __global float *out) {
  __local float part[64];
  int g = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < n[g]; ++k) {
    part[l] = k;
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: where the data of a group's work-items differ
  }
  out[g] = part[l];
}

__kernel void group_rounds(__global const int *n, __global float *out) {
  __local float part[64];
  int g = get_global_id(0), l = get_local_id(0), rounds = n[get_group_id(0)];
  for (int k = 0; k < rounds; ++k) {
    part[l] = k;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the group's data
  }
  out[g] = part[l];
}

__kernel void own_end(__global const int *last, __global float *out) {
  __local float part[64];
  int g = get_global_id(0), l = get_local_id(0);
  for (;;) {
    part[l] = out[g];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: where the data of a group's work-items differ
    if (last[g])
      break;
    out[g] += part[63 - l];
  }
}

__kernel void voted(__global float *out) {
  __local int go;
  int g = get_global_id(0);
  do {
    if (get_local_id(0) == 0)
      go = out[0] < 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all read one flag
    out[g] += 1.0f;
  } while (go);
}

// A size from memory, one for all, is as good as an argument.
struct Image {
  int width, height;
};
__kernel void in_image(__global float *x, __global const struct Image *images, int at) {
  __local float part[64];
  int g = get_global_id(0), l = get_local_id(0);
  struct Image image = images[at];
  if (g < image.width) {
    part[l] = x[g];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    x[g] = part[63 - l];
  }
}

__kernel void switched_by_image(__global float *x, __global const struct Image *images, int at) {
  __local float part[64];
  int g = get_global_id(0), l = get_local_id(0);
  struct Image image = images[at];
  if (image.height < image.width) {
    part[l] = x[g];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: no id is compared
    x[g] = part[63 - l];
  }
}

// Iterations of whole groups of any size.
__kernel void by_group_size(__global float *x, unsigned n) {
  __local float part[64];
  unsigned l = get_local_id(0), size = get_local_size(0), end = n / size;
  end = size * (end + 1);
  for (unsigned i = l; i < end; i += size) {
    part[l] = i < n ? x[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the end is a multiple of the group's size
    if (i < n)
      x[i] = part[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel void by_group_size_and_one(__global float *x, unsigned n) {
  __local float part[64];
  unsigned l = get_local_id(0), size = get_local_size(0), end = n / size;
  end = size * end + 1;
  for (unsigned i = l; i < end; i += size) {
    part[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    x[i] = part[63 - l];
  }
}
