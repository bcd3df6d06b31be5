// RUN: %{python} %{expect} %s
// What a `continue` skips, barriers that nothing reaches, and bounds of the launch (warnings).
// RUN: clmali-lint --device=mali --checks=-*,barrier-in-divergent-flow --fail-on=error %s -- -DBOUNDS_ONLY

__kernel void bound_in_the_middle(__global float *x, __local float *t, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  if (i < n) {
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier: the behaviour is undefined, unless every group is whole
    x[i] = t[l ^ 1];
  }
  t[l] = 0.0f;
}

__kernel void bound_by_group(__global float *x, __local float *t, int n) {
  int l = get_local_id(0), i = get_group_id(0) * get_local_size(0) + l;
  bool inside = i < n;
  if (!inside) {
    t[l] = 0.0f;
  } else {
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: unless every group is whole
  }
  x[i] = t[l];
}

__kernel void steps_through_launch(__global float *x, __local float *t, int n) {
  int l = get_local_id(0);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: unless every group is whole
    x[i] = t[l ^ 1];
  }
}

__kernel void leaves_at_bound(__global float *x, __local float *t, int n, int steps) {
  int l = get_local_id(0), i = get_global_id(0);
  for (int s = 0; s < steps; ++s) {
    if (i >= n)
      break;
    t[l] = x[i] * s;
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: unless every group is whole
    x[i] = t[l ^ 1];
  }
}

#ifndef BOUNDS_ONLY
__kernel void tiles(__global float *restrict o, __global const float *restrict a, int rows, int n) {
  __local float t[32];
  int l = get_local_id(0), row = get_group_id(0) * 64 + l;
  float s = 0.0f;
  for (int k = 0; k < n; k += 32) {
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the continue is behind it
    if (l < 32 && k + l < n)
      t[l] = a[k + l];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same
    if (row >= rows)
      continue;
    for (int j = 0; j < 32; ++j)
      s += t[j];
  }
  if (row < rows)
    o[row] = s;
}

__kernel void nested_continue(__global float *x, __local float *t, int n) {
  int l = get_local_id(0), k = 0;
  while (k < n) {
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all step alike before the continue
    k += 1;
    for (int j = 0; j < 4; ++j) {
      if (j == l)
        continue;
      t[l] += x[j];
    }
    if (l >= 4)
      continue;
    t[l] += 1.0f;
  }
}

__kernel void skips_it(__global float *x, __local float *t, int n) {
  int l = get_local_id(0);
  for (int i = 0; i < n; ++i) {
    if (l >= 4)
      continue;
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    t[l] += x[i];
  }
}

__kernel void steps_before(__global float *x, __local float *t, int n) {
  int l = get_local_id(0), k = 0;
  while (k < n) {
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    if (l >= 4) {
      k += 2;
      continue;
    }
    k += 1;
  }
}

__kernel void skips_the_break(__global float *x, __local float *t, int n) {
  int l = get_local_id(0);
  for (int i = 0; i < n; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    if (l >= 4)
      continue;
    if (i == 7)
      break;
    t[l] += x[i];
  }
}

#define COUNT 0
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void unreached(__global float *x, __local float *t, int n) {
  int l = get_local_id(0);
  const int mode = 2;
  if (l >= 64) {
    t[l] = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: groups have 64 work-items
  }
  if (l < 64)
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all of them
  for (int i = 0; i < COUNT; ++i)
    if (l < 3)
      barrier(CLK_LOCAL_MEM_FENCE); // miss: no iteration
  if (mode == 1)
    if (l < 3)
      barrier(CLK_LOCAL_MEM_FENCE); // miss: another mode
  if (n > 4) {
    if (n < 3)
      if (l < 3)
        barrier(CLK_LOCAL_MEM_FENCE); // miss: n is larger
  }
  if (l % 8 >= 8)
    barrier(CLK_LOCAL_MEM_FENCE); // miss: no remainder is
  for (int i = 0; i < n; ++i) {
    if (l < 3) {
      t[l] = 1.0f;
      continue;
      barrier(CLK_LOCAL_MEM_FENCE); // miss: behind the continue
    }
    t[l] = 2.0f;
  }
  x[get_global_id(0)] = t[l];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void reached(__global float *x, __local float *t, int n) {
  int l = get_local_id(0);
  if (l >= 63)
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
  if (n > 4) {
    if (n < 6)
      if (l < 3)
        barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
  }
  for (int i = 0; i < COUNT + 1; ++i)
    if (l % 8 >= 7)
      barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items
  x[get_global_id(0)] = t[l];
}
#endif
