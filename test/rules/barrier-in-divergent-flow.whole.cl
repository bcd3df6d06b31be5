// RUN: %{python} %{expect} %s
// Conditions on ids that no group is divided by, and conditions that divide whole groups, too.
#define FENCE CLK_LOCAL_MEM_FENCE
#define SIZE 32
#define ROUND_DOWN(n) ((n) / SIZE * SIZE)
#define GROUPS __attribute__((reqd_work_group_size(SIZE, 1, 1)))

GROUPS __kernel void below_whole_groups(__global float *x, int n) {
  __local float part[SIZE];
  int l = get_local_id(0), i = SIZE * (int)get_group_id(0) + l;
  if (i < ROUND_DOWN(n)) {
    part[l] = x[i];
    barrier(FENCE); // miss: the bound is a multiple of the group's size
    x[i] = part[SIZE - 1 - l];
  }
}

GROUPS __kernel void returns_by_shifts(__global float *x, int n) {
  __local float part[SIZE];
  int l = get_local_id(0), i = get_global_id(0);
  if (i >= (n >> 5) << 5)
    return;
  part[l] = x[i];
  barrier(FENCE); // miss: the same with shifts, the other way round
  x[i] = part[SIZE - 1 - l];
}

__kernel void of_any_size(__global float *x, __local float *part, int n) {
  int l = get_local_id(0), size = get_local_size(0);
  if (n / size * size > (int)get_global_id(0)) {
    part[l] = x[get_global_id(0)];
    barrier(FENCE); // miss: a multiple of the size, whatever it is
    x[get_global_id(0)] = part[size - 1 - l];
  }
}

bool inside(int i, int n) { return i < ROUND_DOWN(n); }

__attribute__((reqd_work_group_size(8, 4, 1)))
__kernel void flat_in_two_dimensions(__global float *x, int n) {
  __local float part[SIZE];
  int l = get_local_id(1) * 8 + get_local_id(0), i = get_group_id(0) * SIZE + l;
  if (inside(i, n)) {
    part[l] = x[i];
    barrier(FENCE); // miss: 4 rows of 8 are 32
    x[i] = part[SIZE - 1 - l];
  }
}

GROUPS __kernel void below_half_groups(__global float *x, int n) {
  __local float part[SIZE];
  int l = get_local_id(0), i = SIZE * get_group_id(0) + l;
  if (i < n / 16 * 16) {
    part[l] = x[i];
    barrier(FENCE); // HIT: unless every group is whole
    x[i] = part[SIZE - 1 - l];
  }
}

GROUPS __kernel void one_beyond(__global float *x, int n) {
  __local float part[SIZE];
  int l = get_local_id(0), i = SIZE * get_group_id(0) + l;
  if (i <= ROUND_DOWN(n)) {
    part[l] = x[i];
    barrier(FENCE); // HIT: unless every group is whole
    x[i] = part[SIZE - 1 - l];
  }
}

// A `continue` or `break` that all take.
GROUPS __kernel void continues_behind(__global const int *in, __global const int *flags, __global int *out, int n) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0;
  for (int i = l; i < ROUND_DOWN(n); i += SIZE) {
    part[l] = in[i];
    barrier(FENCE); // miss: the flag is the same for all
    sum += part[SIZE - 1 - l];
    barrier(FENCE); // miss: the same
    if (!flags[i / SIZE])
      continue;
    sum *= 3;
  }
  out[l] = sum;
}

GROUPS __kernel void continues_alone(__global const int *in, __global int *out, int n) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0;
  for (int i = l; i < ROUND_DOWN(n); i += SIZE) {
    part[l] = in[i];
    barrier(FENCE); // miss: who goes on early has been here
    sum += part[SIZE - 1 - l];
    if (l > 3)
      continue;
    sum *= 3;
  }
  out[l] = sum;
}

GROUPS __kernel void continues_before(__global const int *in, __global int *out, int n) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0;
  for (int i = l; i < ROUND_DOWN(n); i += SIZE) {
    part[l] = in[i];
    if (l > 3)
      continue;
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    sum += part[SIZE - 1 - l];
  }
  out[l] = sum;
}

GROUPS __kernel void breaks_together(__global const int *in, __global int *out, int n, int most) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0, i = l;
  while (i < ROUND_DOWN(n)) {
    part[l] = in[i];
    barrier(FENCE); // miss: an argument decides
    sum += part[SIZE - 1 - l];
    i += SIZE;
    if (sum == 0 && most > 5)
      sum = 1;
    if (most == 7)
      break;
  }
  out[l] = sum;
}

GROUPS __kernel void breaks_alone(__global const int *in, __global int *out, int n) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0, i = l;
  while (i < ROUND_DOWN(n)) {
    part[l] = in[i];
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    sum += part[SIZE - 1 - l];
    i += SIZE;
    if (l == 7)
      break;
  }
  out[l] = sum;
}

GROUPS __kernel void counts_down(__global const int *in, __global int *out, int n) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0;
  for (int i = ROUND_DOWN(n) + l; i >= 0; i -= SIZE) {
    part[l] = in[i];
    barrier(FENCE); // miss: from l above a multiple down to 0
    sum += part[SIZE - 1 - l];
  }
  out[l] = sum;
}

GROUPS __kernel void counts_down_to_one(__global const int *in, __global int *out, int n) {
  __local int part[SIZE];
  int l = get_local_id(0), sum = 0;
  for (int i = ROUND_DOWN(n) + l; i > 0; i -= SIZE) {
    part[l] = in[i];
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    sum += part[SIZE - 1 - l];
  }
  out[l] = sum;
}

// A component that counts.
GROUPS __kernel void component_counts(__global const float *in, __global float *out, int n) {
  __local float part[SIZE];
  int l = get_local_id(0);
  int2 at;
  at.y = l;
  for (at.x = 0; at.x < n; at.x += SIZE) {
    part[l] = in[at.x + at.y];
    barrier(FENCE); // miss: the other component is the id
    out[at.x + at.y] = part[SIZE - 1 - l];
    barrier(FENCE); // miss: the same
  }
}

GROUPS __kernel void component_of_id(__global const float *in, __global float *out, int n) {
  __local float part[SIZE];
  int l = get_local_id(0);
  int2 at = (int2)(l, 0);
  while (at.x < n) {
    part[l] = in[at.x];
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    out[at.x] = part[SIZE - 1 - l];
    at.x += SIZE;
  }
}

// Whole groups are divided, too.
__kernel void barrier_in_both(__global const float *in, __global float *out, int n) {
  __local float part[66];
  int g = get_global_id(0), l = get_local_id(0);
  part[l + 1] = in[g];
  if (g > 0 && g + 1 < n) {
    if (l == 0)
      part[0] = in[g - 1];
    barrier(FENCE); // HIT: the behaviour is undefined
    out[g] = part[l] + part[l + 2];
  } else {
    barrier(FENCE); // miss: reported at the first one
    out[g] = part[l + 1];
  }
}

__kernel void returns_at_border(__global const float *in, __global float *out, int w, int h) {
  __local float part[8][8];
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  part[get_local_id(1)][get_local_id(0)] = in[y * w + x];
  barrier(FENCE); // HIT: the behaviour is undefined
  out[y * w + x] = part[get_local_id(1)][7 - get_local_id(0)];
}

__kernel void returns_behind(__global const float *in, __global float *out, int w, int h) {
  __local float part[8][8];
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  part[get_local_id(1)][get_local_id(0)] = in[y * w + x];
  barrier(FENCE); // HIT: unless every group is whole
  out[y * w + x] = part[get_local_id(1)][7 - get_local_id(0)];
}

GROUPS __kernel void first_groups_return(__global const float *in, __global float *out) {
  __local float part[SIZE];
  int g = get_global_id(0), l = get_local_id(0);
  if (g < 2 * SIZE)
    return;
  part[l] = in[g];
  barrier(FENCE); // miss: two whole groups
  out[g] = part[SIZE - 1 - l];
}

// The number of a group, written as a quotient.
__kernel void row_of_group(__global const float *m, __global float *out, int w, int h, __local float *part) {
  uint row0 = get_global_id(0) / get_local_size(0), size = get_local_size(0), l = get_local_id(0);
  for (uint row = row0; row < h; row += get_num_groups(0)) {
    part[l] = m[row * w + l];
    barrier(FENCE); // miss: the rows of a group are the same for all
    if (l == 0)
      out[row] = part[size - 1];
    barrier(FENCE);
  }
}

__kernel void start_of_group(__global float *x, int n, __local float *part) {
  int g = get_global_id(0), size = get_local_size(0), start = g - g % size;
  if (start < n) {
    part[get_local_id(0)] = x[start];
    barrier(FENCE); // miss: the first id of the group
    x[g] = part[0];
  }
}

__kernel void size_of_other_dimension(__global float *x, int n, __local float *part) {
  int g = get_global_id(0), q = g / (int)get_local_size(1);
  if (q < n) {
    part[get_local_id(0)] = x[q];
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    x[g] = part[0];
  }
}

__kernel void half_groups(__global float *x, int n, __local float *part) {
  uint g = get_global_id(0), part_of = get_local_size(0) / 2, start = g - g % part_of;
  if (g / part_of < n) {
    part[get_local_id(0)] = x[start];
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    x[g] = part[0];
  }
}

__kernel void rest_of_another_id(__global float *x, int n, __local float *part) {
  int g = get_global_id(0), size = get_local_size(0), rest = g - (g + 1) % size;
  if (rest < n) {
    part[get_local_id(0)] = x[g];
    barrier(FENCE); // HIT: not all work-items of a group reach this barrier
    x[g] = part[0];
  }
}
