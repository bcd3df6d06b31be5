// RUN: %{python} %{expect} %s --no-balance
// Sums of one loop are one finding.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void four_rows(__global const half *a, __global const half *b, __global half *c, int n) {
  half s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int k = 0; k < n; ++k) {
    s0 += a[k] * b[k]; // HIT: 's0' is a sum in half over a loop of unknown length
    s1 += a[n + k] * b[k]; // miss: the same loop
    s2 += a[2 * n + k] * b[k]; // miss: the same
    s3 += a[3 * n + k] * b[k]; // miss: the same
  }
  int i = get_global_id(0);
  c[i] = s0 + s1;
  c[i + n] = s2 + s3;
}

__kernel void two_loops(__global const half *a, __global const half *b, __global half *c, int n) {
  half s = 0, t = 0;
  int i = get_global_id(0), k = 0;
  while (k < n) {
    s += a[k] * b[k]; // HIT: 's' is a sum in half
    ++k;
  }
  for (k = 0; k < i; ++k)
    t += a[k] * b[k]; // HIT: 't' is a sum in half
  c[i] = s * t;
}
