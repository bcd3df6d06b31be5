// RUN: %{python} %{expect} %s
__kernel void next_pixel(__global int *at, __global const float *by) {
  int i = get_global_id(0);
  int x = at[i];
  if (by[i] > 0.5f) // HIT: a short branch
    x = x + 1;
  at[i] = x; // miss: no branch
}

__kernel void within(__global int *at, __global float *by, int height) {
  int i = get_global_id(0);
  int y = at[i], row = y / 2;
  float r = by[i];
  if (y >= (row + 1) * height) { // HIT: a short branch
    y = (row + 1) * height - 1;
    r = 1.0f;
  }
  at[i] = y; // miss: no branch
  by[i] = r;
}

__kernel void polynomial(__global float *data) {
  int i = get_global_id(0);
  float v = data[i];
  if (v < 0.0f) // HIT: a short branch
    v = ((v * 0.25f + 0.5f) * v - 1.5f) * v;
  data[i] = v; // miss: no branch
}

__kernel void quotient(__global float *data, float by) {
  int i = get_global_id(0);
  float v = data[i];
  if (v < 0.0f) // HIT: a short branch
    v = by / v;
  data[i] = v; // miss: no branch
}
