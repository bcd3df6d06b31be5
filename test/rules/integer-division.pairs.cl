// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --checks=-*,integer-division --fail-on=error %s | FileCheck %s
// CHECK: the quotient of two integers
// CHECK: note: the remainder of the same two

__kernel void pair(__global int *rows, __global int *columns, int w) {
  int i = get_global_id(0);
  rows[i] = i / w; // HIT: the quotient of two integers
  columns[i] = i % w; // miss: with the quotient it is a product
}

__kernel void of_others(__global int *rows, __global int *columns, int w, int h) {
  int i = get_global_id(0);
  rows[i] = i / w; // HIT: the quotient of two integers
  columns[i] = i % h; // HIT: the remainder of two integers
}

// A pointer that is not understood changes no argument.
struct view {
  __global const uchar *at;
  int stride;
};
__kernel void steps(__global const uchar *in, __global uchar *out, uint step, uint stride) {
  struct view v;
  v.at = in;
  v.at += stride;
  const int x = get_global_id(0) * (step / stride); // HIT: the divisor is the same for all work-items
  out[get_global_id(0)] = v.at[x]; // miss: on Mali, nothing is divided for each
}

__kernel void in_the_group(__global const uchar *in, __global float *out, uint stride, int n) {
  struct view v;
  v.at = in;
  v.at += stride;
  __local float part[64];
  const int l = get_local_id(1), wide = get_local_size(1) / 4;
  part[l] = v.at[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int i = 0; i < n; ++i)
    sum += part[l % wide + i * wide]; // HIT: the divisor is the same for all work-items
  out[get_global_id(0)] = sum; // miss: depends on ids only, and is loop-invariant
}

// A load at an unknown index may be uniform.
__kernel void unknown(__global const uchar *in, __global uchar *out, uint step) {
  struct view v;
  v.at = in;
  v.at += step;
  const int wide = *((__global const int *)v.at);
  out[get_global_id(0)] = in[get_global_id(0)] + step % wide; // HIT: the remainder of two integers
}

__kernel void known(__global const int *in, __global int *out, int n) {
  out[get_global_id(0)] = n / in[get_global_id(0)]; // HIT: the divisor differs from work-item to work-item
}

__kernel void eighths(__global const uchar *in, __global uchar *out, uint step, uint stride) {
  struct view v;
  v.at = in;
  v.at += stride;
  const uint more = stride % 8u + // miss: a power of two
                    (stride + step) / 16u; // miss: another
  const uint some = get_local_size(0) / 4; // miss: sizes are unsigned
  const float part = (float)step / stride; // miss: floating point
  out[get_global_id(0)] = v.at[more + some] * part; // miss: nothing is divided
}

__kernel void ids(__global const uchar *in, __global uchar *out, uint step) {
  struct view v;
  v.at = in;
  v.at += step;
  const int x = get_global_id(0) / step; // HIT: the divisor is the same for all work-items
  out[get_global_id(0)] = v.at[x];
}

__kernel void all_three(__global const float *in, __global float *out, int w, int h, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int b = z / n; // HIT: the quotient of two integers
  int rest = z % n; // miss: with the quotient it is a product
  out[(z * h + y) * w + x] = in[(b * h + y + rest) * w + x]; // miss: there is no dimension left to launch it in
}

__kernel void two(__global const float *in, __global float *out, int w, int n) {
  int x = get_global_id(0), z = get_global_id(1);
  int b = z / n; // HIT: the quotient of two integers
  out[z * w + x] = in[b * w + x]; // miss: two dimensions
}

__kernel void data_in_three(__global const int *in, __global int *out, int w, int h, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (z * h + y) * w + x;
  out[at] = in[at] / n; // HIT: the quotient of two integers
}

__kernel void numbers(__global int *out, int n, int m) {
  int rows = n / (m + 2); // HIT: the quotient of two integers
  int rest = n % (m + 2); // miss: of the same two
  out[get_global_id(0)] = get_global_id(0) + rows + rest;
}
