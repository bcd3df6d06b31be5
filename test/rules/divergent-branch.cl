// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --checks=-*,divergent-branch --option=divergent-branch.MaxStatements=0 %s
__kernel void data(__global float *x) {
  int i = get_global_id(0);
  float v = x[i];
  if (v < 0.0f) // HIT: a short branch
    v = -2.0f * v;
  x[i] = v;
}

__kernel void both_sides(__global float *x) {
  int i = get_global_id(0);
  float v = x[i];
  if (i & 1) // HIT: a short branch
    v = v + 1.0f;
  else
    v = v - 1.0f;
  x[i] = v;
}

__kernel void memory(__global float *x) {
  int i = get_global_id(0);
  float v = 0.0f;
  if (i & 1)
    v = x[i]; // miss: the branch saves a load
  x[i] = v;
}

__kernel void store(__global float *x) {
  int i = get_global_id(0);
  if (i & 1)
    x[i] = 0.0f; // miss: a store
}

__kernel void uniform(__global float *x, int flag) {
  int i = get_global_id(0);
  float v = x[i];
  if (flag) // miss: the same for all work-items
    v = -2.0f * v;
  x[i] = v;
}

__kernel void function(__global float *x) {
  int i = get_global_id(0);
  float v = x[i];
  if (v > 1.0f)
    v = pow(v, 2.5f); // miss: an expensive call
  x[i] = v;
}

__kernel void early(__global float *x, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return; // miss: a guard
  x[i] = 2.0f;
}

__kernel void expression(__global float *x) {
  int i = get_global_id(0);
  x[i] = x[i] < 0.0f ? -x[i] : x[i]; // miss: no branch
}

__kernel void choice(__global float *x) {
  int i = get_global_id(0);
  float v = 1.0f;
  if (i & 1) // HIT: a short branch on a value that differs
    v = 2.0f;
  x[i] = v;
}

__kernel void to_the_edge(__global int *data, int width) {
  int x = data[get_global_id(0)];
  if (x > width - 1) // HIT: a short branch on a value that differs
    x = width - 1;
  data[get_global_id(0)] = x;
}

static void turn(float4 *v) { *v = (*v).yzwx; }

__kernel void by_address(__global float4 *data, __global const float4 *way) {
  int i = get_global_id(0);
  float4 v = data[i];
  if (dot(v, way[0]) > 0.0f) // HIT: a short branch
    v *= -1.0f;
  turn(&v);
  data[i] = v;
}

__kernel void of_an_array(__global float *data) {
  int i = get_global_id(0);
  float line[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  float v = data[i];
  if (v > 0.0f) // miss: an element of an array is written
    line[i & 3] = 2.0f * v;
  data[i] = line[(int)v & 3];
}

__kernel void cheap_call(__global float *data) {
  int i = get_global_id(0);
  float v = data[i];
  if (v > 2.0f) // HIT: a short branch
    v = fmin(fabs(v), 4.0f) * 0.5f;
  data[i] = v;
}

__kernel void expensive_call(__global float *data) {
  int i = get_global_id(0);
  float v = data[i];
  if (v > 2.0f) // miss: a function that takes its time
    v = sin(v) * 0.5f;
  data[i] = v;
}

__kernel void divided(__global float *data, float by) {
  int i = get_global_id(0);
  float v = data[i];
  if (v > 0.0f) // HIT: a short branch
    v = (v - 1.0f) / by;
  data[i] = v;
}

__kernel void divided_integers(__global int *data, int by) {
  int i = get_global_id(0);
  int v = data[i];
  if (v > 0) // miss: a division of integers is long
    v = (v - 1) / by;
  data[i] = v;
}

__kernel void the_best(__global const float *x, __global int *out, int n) {
  float best = 0.0f;
  int at = 0, i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    float v = x[i * n + k];
    if (v > best) { // HIT: a short branch on a value that differs
      best = v;
      at = k;
    }
    if (k > 4) // miss: the round is the same for all work-items
      best += 1.0f;
    if (v < 0.0f) // miss: it leaves the loop
      break;
  }
  out[i] = at;
}
