// RUN: %{python} %{expect} %s
// In place, where data let it: nothing but data keeps two work-items apart.

__kernel void flagged(__global float *x, __global const int *flag, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1 && flag[i])
    x[i] = x[i - 1] + x[i + 1]; // HIT: where data let two work-items get here, one writes what the other reads of 'x'
}

__kernel void flagged_apart(__global float *x, __global const float *in, __global const int *flag, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1 && flag[i])
    x[i] = in[i - 1] + in[i + 1]; // miss: out of place
}

__kernel void flagged_own(__global float *x, __global const int *flag, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1 && flag[i])
    x[i] = 2.0f * x[i]; // miss: its own element only
}

__kernel void before(__global float *x, __global const int *flag, int w) {
  int i = get_global_id(0), j = get_global_id(1);
  float v = x[(j - 1) * w + i];
  if (flag[j * w + i])
    x[j * w + i] = v; // HIT: where data let two work-items get here
}

// As in a lattice: nodes of one kind take from those of another.
__kernel void kinds(__global float *x, __global const int *kind, int n) {
  int i = get_global_id(0);
  if (i < n - 1 && kind[i] == 1)
    if (kind[i + 1] == 0)
      x[i] = x[i + 1]; // miss: none is of both kinds
}

__kernel void by_the_way(__global float *x, __global const int *flag, __global int *changed, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1 && flag[i]) {
    x[i] = x[i - 1] + x[i + 1]; // miss: an atomic may order them
    atomic_inc(changed);
  }
}

__kernel void until_it_is_there(__global float *x, volatile __global int *ready, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n && ready[i - 1])
    x[i] = x[i - 1] + 1.0f; // miss: a flag may let it wait
}

__kernel void around(__global int *cells, __global const uchar *wall) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1, w = get_global_size(0) + 2;
  int sum = 0;
  if (wall[y * w + x])
    for (int e = 0; e < 9; ++e)
      sum += cells[x + e % 3 - 1 + (y + e / 3 - 1) * w];
  if (sum > 3)
    cells[y * w + x] = sum; // HIT: where data let two work-items get here
}

__kernel void in_turns(__global float *x, __global const int *color, int now, int n) {
  int i = get_global_id(0);
  if (i == 0 || i >= n - 1 || color[i] != now)
    return;
  x[i] = 0.5f * (x[i - 1] + x[i + 1]); // miss: neighbours have another color and are updated in another pass
}

__kernel void of_one_kind(__global float *x, __global const int *kind, int n) {
  int i = get_global_id(0);
  if (i == 0 || i >= n - 1 || kind[i] != 1)
    return;
  x[i] = 0.5f * (x[i - 1] + x[i + 1]); // HIT: where data let two work-items get here
}

__kernel void where_there_is_any(__global float *x, __global const float *in, float missing, int n) {
  int i = get_global_id(0);
  if (i == 0 || i >= n - 1 || in[i] == missing)
    return;
  x[i] = 0.5f * (x[i - 1] + x[i + 1]); // HIT: where data let two work-items get here
}
