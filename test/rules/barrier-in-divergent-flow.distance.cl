// RUN: %{python} %{expect} %s
// Each work-item goes as far from its own beginning as the others do.
__kernel void as_far(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  __global const float *p = in + 4;
  p += l;
  __global const float *last = p + n;
  float sum = 0.0f;
  do {
    tile[l] = p[0];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: each begins n before its end
    sum += tile[15 - l];
    p += 16;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same
  } while (p < last);
  out[get_global_id(0)] = sum;
}

__kernel void one_end(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  __global const float *p = in + 4;
  __global const float *last = p + n;
  p += l;
  float sum = 0.0f;
  do {
    tile[l] = p[0];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    sum += tile[15 - l];
    p += 16;
  } while (p < last);
  out[get_global_id(0)] = sum;
}

__kernel void own_steps(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  int at = l, last = l + n;
  float sum = 0.0f;
  while (at < last) {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    sum += tile[15 - l];
    at += 1 + l;
  }
  out[get_global_id(0)] = sum;
}

__kernel void alike_steps(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  int at = l, last = l + n;
  float sum = 0.0f;
  while (at < last) {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all step alike
    sum += tile[15 - l];
    at += 16;
  }
  out[get_global_id(0)] = sum;
}

__kernel void some_step(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  int at = l, last = l + n;
  float sum = 0.0f;
  while (at < last) {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    sum += tile[15 - l];
    if (l < 8)
      at += 16;
    else
      at += 8;
  }
  out[get_global_id(0)] = sum;
}

// The last group goes another way, and some of its work-items return there.
__kernel void another_arm(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  int g = get_group_id(0), l = get_local_id(0), at = g * 64 + l;
  if (g == get_num_groups(0) - 1) {
    for (int k = 0; k < 4; ++k) {
      out[at] = in[at];
      at += 64;
      if (at >= n)
        return;
    }
  } else {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the return is in the other arm
    out[at] = tile[63 - l];
  }
}

__kernel void behind_both_arms(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  int g = get_group_id(0), l = get_local_id(0), at = g * 64 + l;
  tile[l] = in[at];
  if (g == get_num_groups(0) - 1) {
    for (int k = 0; k < 4; ++k) {
      out[at] = in[at];
      at += 64;
      if (at >= n)
        return;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
  out[at] = tile[63 - l];
}

// Groups of one row.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void rows_of_one(__global const float *in, __global float *out, int height) {
  __local float tile[64];
  int l = get_local_id(0);
  for (int y = get_global_id(1); y < height; y += 7) {
    tile[l] = in[y * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all of the group are in one row
    out[y * 64 + l] = tile[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same
  }
}

__kernel __attribute__((reqd_work_group_size(64, 2, 1))) void rows_of_two(__global const float *in, __global float *out, int height) {
  __local float tile[2][64];
  int l = get_local_id(0), r = get_local_id(1);
  for (int y = get_global_id(1); y < height; y += 7) {
    tile[r][l] = in[y * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    out[y * 64 + l] = tile[r][63 - l];
  }
}

// All work-items of the launch iterate over a range rounded up to whole groups.
__kernel void rounded_by_mask(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0), whole = (n + 15) & ~15;
  for (int i = get_global_id(0); i < whole; i += get_global_size(0)) {
    if (i < n)
      tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: a multiple of 16
    out[i] = tile[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same
  }
}

__kernel void masked_low(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0), part = (n + 15) & 255;
  for (int i = get_global_id(0); i < part; i += get_global_size(0)) {
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    out[i] = tile[15 - l];
  }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void larger_groups(__global const float *in, __global float *out, int n) {
  __local float tile[32];
  int l = get_local_id(0), whole = (n + 15) & ~15;
  for (int i = get_global_id(0); i < whole; i += get_global_size(0)) {
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    out[i] = tile[31 - l];
  }
}

// Both arms give one value to all.
__kernel void halved_by_both(__global float *a, __local float *part) {
  int l = get_local_id(0);
  size_t n = get_local_size(0);
  part[l] = a[get_global_id(0)];
  while (n > 1) {
    barrier(CLK_LOCAL_MEM_FENCE); // miss: n is the same for all
    if (l < n / 2) {
      n /= 2;
      part[l] += part[l + n];
    } else {
      n /= 2;
    }
  }
  if (l == 0)
    a[get_group_id(0)] = part[0];
}

__kernel void halved_by_one(__global float *a, __local float *part) {
  int l = get_local_id(0);
  size_t n = get_local_size(0);
  part[l] = a[get_global_id(0)];
  while (n > 1) {
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    if (l < n / 2) {
      n /= 2;
      part[l] += part[l + n];
    } else {
      n /= 4;
    }
  }
  if (l == 0)
    a[get_group_id(0)] = part[0];
}
