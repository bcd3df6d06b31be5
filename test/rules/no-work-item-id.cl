// RUN: %{python} %{expect} %s
__kernel void dot1(__global const float *a, __global const float *b, uint n, __global float *res) {
  *res = 0; // HIT: the kernel stores to 'res' and uses no work-item id
  for (uint k = 0; k < n; ++k)
    *res += a[k] * b[k];
}
void add(__global int *x, int n) {
  while (n--)
    x[n] += x[n + 1]; // HIT: the kernel stores to 'x' and uses no work-item id
}
__kernel void by_helper(__global int *x, int n) { add(x, n); }
__kernel void prefix(__global float4 *x) {
  for (int k = 1; k < 64; ++k)
    x[k] += x[k - 1]; // HIT: the kernel stores to 'x'
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void single(__global float *x, int n) {
  for (int k = 1; k < n; ++k)
    x[k] += x[k - 1]; // miss: one work-item is required
}
__kernel void same(__global float *x, float v) {
  *x = v; // miss: each work-item stores the same
}
__kernel void own(__global float *x) {
  x[get_global_id(0)] += 1; // miss: an id
}
__kernel void own_row(__global float *x, int n) {
  int row = get_group_id(0);
  if (get_local_id(0) == 0)
    x[row] += x[row + n]; // miss: a group id
}
__kernel void drawn(__global float *x, __global int *next) {
  int i = atomic_inc(next);
  x[i] += 1; // miss: an atomic counter
}
__kernel void private_only(__global float *x) {
  float s[4];
  for (int k = 0; k < 4; ++k)
    s[k] = k;
  x[0] = s[0] + s[3]; // miss: each work-item stores the same
}
