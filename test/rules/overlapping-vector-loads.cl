// RUN: %{python} %{expect} %s

__kernel void three(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0) * 8;
  uchar8 a = vload8(0, in + i); // HIT: 3 vector loads of 'in' overlap: 24 bytes are loaded for 10, and 1 load does
  uchar8 b = vload8(0, in + i + 1);
  uchar8 c = vload8(0, in + i + 2);
  vstore8(a / (uchar)3 + b / (uchar)3 + c / (uchar)3, 0, out + i);
}

__kernel void repeated(__global const float *in, __global float *out, float k) {
  int i = get_global_id(0);
  float4 a = vload4(i, in) * k; // HIT: 2 vector loads of 'in' read the same 16 bytes
  vstore4(a + vload4(i, in), i, out);
}

// The row distance is the host's; each row is a group of its own.
__kernel void rows(__global const float *in, __global float *out, int w) {
  int i = get_global_id(0) * 4 + get_global_id(1) * w;
  float4 a = vload4(0, in + i) + vload4(0, in + i + 1) + vload4(0, in + i + 2) + vload4(0, in + i + 3); // HIT: 4 vector loads of 'in' overlap: 64 bytes are loaded for 28, and 2 loads do
  float4 b = vload4(0, in + i + w); // miss: another row
  vstore4(a + b, 0, out + i);
}

// Two loads that 22 bytes need.
__kernel void needed(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0) * 16;
  uchar16 a = vload16(0, in + i); // miss: two loads of 16 bytes for 22
  uchar16 b = vload16(0, in + i + 6);
  vstore16(a / (uchar)2 + b / (uchar)2, 0, out + i);
}

__kernel void side_by_side(__global const float *in, __global float *out) {
  int i = get_global_id(0) * 8;
  vstore4(vload4(0, in + i) + vload4(0, in + i + 4), 0, out + i); // miss: they touch, and do not overlap
}

// Written in between: the second load may see something else.
__kernel void written(__global float *data) {
  int i = get_global_id(0);
  float4 a = vload4(i, data); // miss: the buffer is written
  vstore4(a * 2.0f, i, data);
  vstore4(a + vload4(i, data), i, data);
}

__kernel void branches(__global const float *in, __global float *out, int flag) {
  int i = get_global_id(0);
  float4 a = (float4)(0);
  if (flag)
    a = vload4(i, in); // miss: only one of the two runs
  else
    a = vload4(i, in) * 2.0f;
  vstore4(a, i, out);
}

__kernel void unknown(__global const float *in, __global float *out, int d) {
  int i = get_global_id(0) * 4;
  vstore4(vload4(0, in + i) + vload4(0, in + i + d), 0, out + i); // miss: the distance is not known
}

__kernel void subscripts(__global const float4 *in, __global float4 *out, float a, float b) {
  int i = get_global_id(0);
  out[i] = in[i] * a + in[i] * in[i]; // HIT: the source loads one element of 'in' 3 times
}

__kernel void subscripts_promised(__global const float4 *restrict in, __global float4 *restrict out, float a, float b) {
  int i = get_global_id(0);
  out[i] = in[i] * a + in[i] * in[i]; // miss: restrict lets every compiler keep it
}

__kernel void subscripts_apart(__global const float4 *in, __global float4 *out, float a, float b) {
  int i = get_global_id(0);
  out[i] = in[i] * a + in[i + 1]; // miss: two elements
}

__kernel void subscripts_in_constant(__constant float4 *in, __global float4 *out, float a, float b) {
  int i = get_global_id(0);
  out[i] = in[i] * a + in[i]; // miss: constant memory, which nothing changes
}

__kernel void store_between(__global const float4 *in, __global float4 *out, float a) {
  int i = get_global_id(0);
  out[2 * i] = in[i] * a; // HIT: 2 vector loads of 'in' read the same 16 bytes
  out[2 * i + 1] = in[i] + a;
}

__constant int4 steps[4] = {(int4)(0), (int4)(1), (int4)(2), (int4)(3)};
__kernel void table(__global const int *in, __global int4 *out) {
  int i = get_global_id(0);
  out[i] = steps[in[i] & 3] + vload4(0, in + 4 * i) * steps[in[i] & 3]; // HIT: the source loads one element of 'in' 2 times
}

__kernel void sliding(__global const float *in, __global float4 *out) {
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < 5; ++k)
    sum += vload4(0, in + 4 * get_global_id(0) + k); // HIT: 16 bytes are loaded for 4 new ones
  out[get_global_id(0)] = sum;
}

__kernel void striding(__global const float *in, __global float4 *out) {
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < 20; k += 4)
    sum += vload4(0, in + 20 * get_global_id(0) + k); // miss: each iteration reads its own 16 bytes
  out[get_global_id(0)] = sum;
}

__kernel void components(__global const float4 *p, __global float *out) {
  int i = get_global_id(0);
  out[3 * i] = p[i].x; // miss: single components
  out[3 * i + 1] = p[i].y;
  out[3 * i + 2] = p[i].z;
}

// Scalars are loaded again only where the compiler has to.
__kernel void two_results(__global const float *in, __global float *a, __global float *b) {
  int i = get_global_id(0);
  a[i] = in[i] * 2.0f; // HIT: 2 loads of 'in' read the same element
  b[i] = in[i] * 3.0f;
}

__kernel void promised(__global const float *restrict in, __global float *restrict a, __global float *restrict b) {
  int i = get_global_id(0);
  a[i] = in[i] * 2.0f; // miss: restrict
  b[i] = in[i] * 3.0f;
}

__kernel void other_type(__global const float *in, __global int *a, __global float *b) {
  int i = get_global_id(0);
  a[i] = in[i] * 2.0f; // HIT: the source loads one element of 'in' 2 times
  b[i] = in[i] * 3.0f;
}

__kernel void before_the_store(__global const float *in, __global float *a, __global float *b) {
  int i = get_global_id(0);
  float twice = in[i] + in[i]; // HIT: the source loads one element of 'in' 2 times
  a[i] = twice;
  b[i] = in[i + 1];
}

// What the kernel has written itself may be changed by its other stores, too.
__kernel void densities(__global const float *a, __global const float *b, __global float *sum, __global float *x, __global float *y) {
  int i = get_global_id(0);
  sum[i] = a[i] + 1.0f;
  x[i] = b[i] / sum[i]; // HIT: 2 loads of 'b' read the same element // HIT: 2 loads of 'sum' read the same element
  y[i] = b[i] * sum[i];
}

__kernel void in_place(__global const float *a, __global float *sum, __global float *x) {
  int i = get_global_id(0);
  sum[i] = sum[i] + 1.0f;
  x[i] = a[i];
  sum[i] = sum[i] * 2.0f; // miss: it has been written in between
}

__kernel void lengths(__global const float4 *p, __global const int *index, __global float *out) {
  int i = get_global_id(0);
  out[2 * i] = p[index[i]].x * p[index[i]].x; // HIT: 3 loads of 'p' read the same element // HIT: the source loads one element of 'index' 4 times
  out[2 * i + 1] = p[index[i]].x + p[index[i]].y;
}

__kernel void other_components(__global const float4 *p, __global const int *index, __global float *out) {
  int i = get_global_id(0);
  out[2 * i] = p[index[i]].x; // HIT: the source loads one element of 'index' 2 times
  out[2 * i + 1] = p[index[i]].y;
}

// In another branch, or behind other conditions, it is loaded again as well.
__kernel void in_branch(__global const float *in, __global float *a, __global float *b, int n) {
  int i = get_global_id(0);
  float x = in[i]; // HIT: the same element of 'in' is loaded twice
  a[i] = x * 2.0f;
  if (n > 3)
    b[i] = in[i] * 3.0f;
}

__kernel void other_branch(__global const float *in, __global float *a, __global float *b, int n) {
  int i = get_global_id(0);
  float x = in[i]; // HIT: the source loads one element of 'in' 2 times
  if (n <= 3)
    a[i] = x * 2.0f; // no store where it is loaded again
  else
    b[i] = in[i] * 3.0f;
}

__kernel void other_branches(__global const float *in, __global float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (n <= 3)
    a[i] = in[i] * 2.0f; // miss: only one of the two runs
  else
    b[i] = in[i] * 3.0f;
}

__kernel void each_round(__global const float *re, __global int *out, int n) {
  int i = get_global_id(0);
  float x = re[i]; // HIT: the source loads one element of 're' 2 times
  int k = 0;
  while (x < 4.0f && k < n) {
    x = x * x + re[i];
    ++k;
  }
  out[i] = k;
}

__kernel void each_rounds_own(__global const float *re, __global int *out, int n) {
  int i = get_global_id(0);
  float x = re[i];
  int k = 0;
  while (x < 4.0f && k < n) {
    x = x * x + re[i + k]; // miss: it moves on
    ++k;
  }
  out[i] = k;
}

__kernel void each_round_set(__global float *re, __global int *out, int n) {
  int i = get_global_id(0);
  float x = re[i];
  for (int k = 0; k < n; ++k) {
    x = x * x + re[i]; // miss: the rounds store it
    re[i] = x + 1.0f;
  }
  out[i] = x;
}

__kernel void compared_first(__global int *data, int j) {
  int i = get_global_id(0), other = i ^ j;
  if (other > i && data[i] > data[other]) { // HIT: the source loads one element of 'data' 2 times
    int kept = data[i];
    data[i] = data[other];
    data[other] = kept;
  }
}

__kernel void perhaps_compared(__global const int *data, __global int *out, int j) {
  int i = get_global_id(0);
  if (j > i || data[i] > 4)
    out[i] = data[i]; // miss: the comparison may not have been made
}

__kernel void first_of_pair(__global const float *in, __global float *out, int n) {
  int i = 2 * get_global_id(0);
  float most = in[i]; // HIT: the source loads one element of 'in' 2 times
  if (i + 1 < n) {
    float2 pair = vload2(0, in + i);
    most = fmax(pair.x, pair.y);
  }
  out[i] = most;
}

__kernel void before_pair(__global const float *in, __global float *out, int n) {
  int i = 2 * get_global_id(0);
  float most = in[i];
  if (i + 2 < n) {
    float2 pair = vload2(0, in + i + 1); // miss: the next two
    most = fmax(pair.x, pair.y);
  }
  out[i] = most;
}

__kernel void of_what_was_stored(__global float *sums, __global float *out, float x) {
  int i = get_global_id(0);
  sums[i] = sums[i] * x;
  out[2 * i] = sums[i] + 1.0f; // HIT: the source loads one element of 'sums' 2 times
  out[2 * i + 1] = sums[i] + 2.0f;
}

__kernel void of_what_was_stored_between(__global float *sums, __global float *out, float x) {
  int i = get_global_id(0);
  sums[i] = sums[i] * x;
  out[2 * i] = sums[i] + 1.0f; // miss: once before the store, once behind it
}

__kernel void euler(__global float4 *p, __global float4 *v, __global const float4 *a, float dt) {
  int i = get_global_id(0);
  p[i] += dt * v[i]; // HIT: the same element of 'v' is loaded twice
  v[i] += dt * a[i];
}

__kernel void stored_between(__global float4 *p, __global float4 *v, __global float4 *a, float dt) {
  int i = get_global_id(0);
  float4 x = v[i];
  p[i] = x;
  v[i] = dt * x;
  a[i] = v[i]; // miss: it is the new value
}

struct Pixel {
  uint value;
  int moved;
};
__kernel void fields(__global struct Pixel *a, __global const struct Pixel *b, __global int *out) {
  int i = get_global_id(0);
  int x = b[i].moved; // HIT: 2 loads of 'b.moved' read the same element
  a[i].value = x;
  out[i] = b[i].moved;
}

// In the iterations of a loop.
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  for (int k = 0; k < n; ++k)
    c[i * n + j] += a[i * n + k] * b[k * n + j]; // HIT: 'c' is loaded and stored at one address in each round of the loop: a variable would hold it
}

__kernel void product_promised(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  for (int k = 0; k < n; ++k)
    c[i * n + j] += a[i * n + k] * b[k * n + j]; // miss: restrict lets the compiler keep it
}

__kernel void in_variable(__global const float *a, __global const float *b, __global float *c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j]; // miss: a variable holds it
  c[i * n + j] = sum;
}

__kernel void scaled(__global const float *in, __global const float *scale, __global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i * n + k] = in[i * n + k] * scale[i]; // HIT: one element of 'scale' is loaded in each round of the loop
}

__kernel void scaled_of_ints(__global const int *scale, __global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i * n + k] = k * scale[i]; // miss: a store of float changes no int
}

__kernel void scaled_by_index(__global const float *in, __global const int *index, __global const float *scale, __global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i * n + k] = in[i * n + k] * scale[index[i * n + k]]; // miss: the element is unknown
}

__kernel void only_read(__global const float *scale, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += k * scale[i]; // miss: nothing is stored in the loop
  out[i] = sum;
}

// A counter updated in place: the next iteration needs it, and no other work-item is involved.
__kernel void relaxed(__global float *cost, __global const int *next, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    cost[next[k]] = cost[i] + 1; // HIT: one element of 'cost' is loaded in each round of the loop
}

__kernel void waiting(__global float *sums, __global float *out, int n) {
  int i = get_local_id(0);
  for (int k = 1; k < n; k *= 2) {
    float x = sums[i]; // miss: others store it between the barriers
    barrier(CLK_GLOBAL_MEM_FENCE);
    sums[i ^ k] = x + out[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

__kernel void shared(__global int *found, __global int *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    if (!found[0]) // miss: others may have set it
      found[0] = out[i * n + k] = k;
}

// What runs under a condition, and then whenever it does.
__kernel void without_braces(__global float *in, __global float *p, __global float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = in[i] * p[0]; // HIT: the same element of 'in' is loaded twice // HIT: the same element of 'p' is loaded twice
    b[i] = in[i] + p[0];
}

__kernel void one_or_the_other(__global float *in, __global float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (n == 1)
    a[i] = in[i]; // miss: only one of them runs
  if (n == 2)
    b[i] = in[i] * 2.0f;
}

float2 inside(__global float2 *m, int x, int n) {
  if (x < 0 || x >= n)
    return (float2)(0.0f);
  return m[x]; // HIT: the same element of 'in' is loaded twice
}
__kernel void by_function(__global float2 *in, __global float2 *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  out[i].x = inside(in, i, n).y;
  out[i].y = inside(in, i, n).x;
}

__kernel void by_function_elsewhere(__global float2 *in, __global float2 *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  out[i].x = inside(in, i - 1, n).y;
  out[i].y = inside(in, i + 1, n).x; // miss: another element
}

__kernel void whole_and_part(__global float4 *pos, __global float4 *vel, float dt) {
  int i = get_global_id(0);
  pos[i] += vel[i] * dt; // HIT: the same element of 'vel' is loaded twice
  if (pos[i].x < 0.0f)
    vel[i].x = -vel[i].x;
}

__kernel void part_of_a_copy(__global float4 *pos, __global float4 *vel, float dt) {
  int i = get_global_id(0);
  float4 v = vel[i];
  pos[i] += v * dt;
  if (pos[i].x < 0.0f)
    vel[i].x = -v.x; // miss: kept in a variable
}

// A store of char may change anything.
__kernel void planes(__global short *in, __global uchar *a, __global uchar *b) {
  int i = get_global_id(0);
  a[i] = (uchar)(in[i] >> 3); // HIT: 2 loads of 'in' read the same element
  b[i] = (uchar)(in[i] >> 5);
}

__kernel void planes_of_words(__global short *in, __global int *a, __global int *b) {
  int i = get_global_id(0);
  a[i] = in[i] >> 3; // HIT: the source loads one element of 'in' 2 times
  b[i] = in[i] >> 5;
}

__kernel void of_two_planes(__global short *in, __global short *more, __global int *a, __global int *b) {
  int i = get_global_id(0);
  a[i] = in[i] >> 3; // miss: another buffer
  b[i] = more[i] >> 5;
}

__kernel void in_turns(__global int *in, __global int *out) {
  int i = get_global_id(0);
  int before = in[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = before + in[i]; // miss: behind a barrier, another work-item may have stored it
}

__kernel void one_of_three(__global const float4 *in, __global float4 *out, int kind) {
  int i = get_global_id(0);
  if (kind == 0) {
    out[i] = in[i] * 2.0f; // miss: one branch runs
    return;
  }
  if (kind == 1) {
    out[i] = in[i] * 3.0f;
    return;
  }
  if (kind == 2)
    out[i] = in[i] * 4.0f;
}
