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
    if (k > 4) // miss: the iteration is uniform
      best += 1.0f;
    if (v < 0.0f) // miss: it leaves the loop
      break;
  }
  out[i] = at;
}

__kernel void to_sort(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0), v[3];
  v[0] = in[i];
  v[1] = in[i + 1];
  v[2] = in[i + 2];
  for (int k = 0; k < 2; ++k)
    for (int j = k + 1; j < 3; ++j)
      if (v[k] > v[j]) { // HIT: a short branch
        int aux = v[k];
        v[k] = v[j];
        v[j] = aux;
      }
  out[i] = v[1];
}

__kernel void to_sort_memory(__global uchar *data, int n) {
  int i = get_global_id(0) * 2;
  if (data[i] > data[i + 1]) { // miss: global memory
    uchar aux = data[i];
    data[i] = data[i + 1];
    data[i + 1] = aux;
  }
}

static int squared(int a, int b) {
  int d = a - b;
  return d * d;
}

__kernel void by_function(__global const uchar4 *a, __global const uchar4 *b, __global int *out, int width) {
  int x = get_global_id(0), sum = 0;
  uchar4 p = a[x], q = b[x];
  if (x + 1 < width) // HIT: a short branch
    sum += squared(p.x, q.x);
  out[x] = sum;
}

__kernel void long_branch(__global float *data, float s) {
  int i = get_global_id(0);
  float a = data[i], b = a, c = a, d = a;
  if (a > 0.0f) { // miss: eight statements
    a = a * s + 1.0f;
    b = a * s + 2.0f;
    c = b * s + 3.0f;
    d = c * s + 4.0f;
    a = a * d + 1.0f;
    b = a * d + 2.0f;
    c = b * d + 3.0f;
    d = c * d + 4.0f;
  }
  data[i] = a + b + c + d;
}

__kernel void offsets(__global float *data, int first, int size) {
  int i = get_global_id(0);
  __global float *to;
  if ((i & 1) == 0) // HIT: a short branch
    to = data + first;
  else
    to = data + first + size / 2 * 2;
  to[i] = 1.0f;
}

// A branch that only assigns one value to each variable.
__kernel void sorted(__global float4 *x) {
  float4 v = x[get_global_id(0)];
  float a, b, c, d;
  if (v.x < v.y) { // HIT(mali-bifrost,mali-valhall,powervr-rogue): a short branch
    a = v.y;
    b = v.x;
    c = 0.0f;
    d = -1.0f;
  } else {
    a = v.x;
    b = v.y;
    c = -1.0f;
    d = 0.5f;
  }
  x[get_global_id(0)] = (float4)(a, b, c, d);
}

__kernel void computed_on_both_sides(__global float4 *x) {
  float4 v = x[get_global_id(0)];
  float a, b, c, d;
  if (v.x < v.y) { // miss: eight computations
    a = v.y * 2.0f;
    b = v.x * 3.0f;
    c = v.x * v.y;
    d = v.x - 1.0f;
  } else {
    a = v.x + 1.0f;
    b = v.y - 2.0f;
    c = v.x * v.x;
    d = v.y * v.y;
  }
  x[get_global_id(0)] = (float4)(a, b, c, d);
}

__kernel void made_one_long(__global float4 *x) {
  float4 v = x[get_global_id(0)];
  if (v.x > v.y) // HIT(mali-bifrost,mali-valhall,powervr-rogue): a short branch
    v = normalize(v);
  x[get_global_id(0)] = v;
}

__kernel void two_long_ones(__global float4 *x) {
  float4 v = x[get_global_id(0)];
  if (v.x > v.y) // miss: two calls that take a while
    v = normalize(v) * sqrt(v.z);
  x[get_global_id(0)] = v;
}

int inside(int x, int n) { return x < n; }

__kernel void conditions(__global float4 *x, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (inside(i, w) && (inside(j, h) && inside(j * w + i, 100000))) // miss: conditions, one after another, and behind them memory
    x[j * w + i] *= 2.0f;
}

float doubled(float v) { return v * 2.0f; }
float halved(float v) { return v * 0.5f; }

__kernel void chosen_already(__global float4 *x) {
  float4 v = x[get_global_id(0)];
  v.x = v.x < v.y ? doubled(v.z) : halved(v.w); // miss: a choice of two values
  x[get_global_id(0)] = v;
}

__kernel void chosen_by_branch(__global float4 *x) {
  float4 v = x[get_global_id(0)];
  if (v.x < v.y) // HIT(mali-bifrost,mali-valhall,powervr-rogue): a short branch
    v.x = doubled(v.z);
  else
    v.x = halved(v.w);
  x[get_global_id(0)] = v;
}
