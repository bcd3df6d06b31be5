// RUN: %{python} %{expect} %s
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void plain(__global const half *a, __global half *out, int n) {
  int i = get_global_id(0);
  half s = 0.0h;
  for (int k = 0; k < n; ++k)
    s += a[k] * a[i + k]; // HIT: 's' is a sum in half over a loop of unknown length
  out[i] = s;
}
__kernel void vectors(__global const half4 *a, __global const half4 *b, __global half4 *out) {
  int i = get_global_id(0);
  half4 s = (half4)(0.0h);
  for (int k = 0; k < 64; k++)
    s = fma(a[64 * i + k], b[k], s); // HIT: 's' is a sum in half over 64 terms
  out[i] = s;
}
half square(half x) { return x * x; }
__kernel void variance(__global const half *a, __global half *out, int n, half mean) {
  int i = get_global_id(0), k = 0;
  half v = 0;
  while (k < n) {
    v = square(a[i * n + k] - mean) + v; // HIT: 'v' is a sum in half
    ++k;
  }
  out[i] = v / n;
}
__kernel void block(__global const half4 *a, __global const half4 *b, __global half4 *out, int n) {
  int i = get_global_id(0);
  half4 acc[4];
  for (int r = 0; r < 4; ++r)
    acc[r] = 0.0h;
  for (int k = 0; k < n; ++k)
    for (int r = 0; r < 4; ++r)
      acc[r] += a[i * n + k].x * b[k * 4 + r]; // HIT: 'acc' is a sum in half
  for (int r = 0; r < 4; ++r)
    out[4 * i + r] = acc[r];
}
__kernel void in_buffer(__global const half *a, __global half *out, int n) {
  int i = get_global_id(0);
  out[i] = 0;
  for (int k = 0; k < n; ++k)
    out[i] += a[i * n + k]; // HIT: 'out' is a sum in half
}

__kernel void in_float(__global const half *a, __global half *out, int n) {
  int i = get_global_id(0);
  float s = 0.0f;
  for (int k = 0; k < n; ++k)
    s += a[k] * a[i + k]; // miss: the sum is a float
  out[i] = s;
}
__kernel void short_loop(__global const half4 *a, __global half4 *out) {
  int i = get_global_id(0);
  half4 s = (half4)(0.0h);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      s += a[i + 64 * y + x]; // miss: nine terms
  out[i] = s;
}
__kernel void largest(__global const half *a, __global half *out, int n) {
  int i = get_global_id(0);
  half m = a[i];
  for (int k = 1; k < n; ++k)
    m = fmax(m, a[i + k]); // miss: no sum
  out[i] = m;
}
__kernel void each_new(__global const half *a, __global float *out, int n) {
  int i = get_global_id(0);
  float total = 0;
  for (int k = 0; k < n; ++k) {
    half s = 0;
    for (int j = 0; j < 8; ++j)
      s += a[8 * k + j] * a[i + j]; // miss: eight terms, and then a float
    total += s;
  }
  out[i] = total;
}
__kernel void step(__global half *out, int n) {
  half x = 0;
  for (int k = 0; k < n; ++k) {
    out[get_global_id(0) * n + k] = x;
    x += 0.5h; // miss: the step of a coordinate
  }
}
__kernel void tree(__global const half *a, __global half *out) {
  __local half part[64];
  int l = get_local_id(0);
  part[l] = a[get_global_id(0)];
  for (int d = 32; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      part[l] += part[l + d]; // miss: six terms, in a tree
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
__kernel void rows(__global const half *a, __global half *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i * n + k] += a[k]; // miss: another element in each trip
}
