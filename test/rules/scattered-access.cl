// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --fail-on=info --checks=-*,scattered-access --option=scattered-access.MinTurns=9 %s
__kernel void turns(__global const float *a, __global float *b) {
  int i = 4 * get_global_id(0);
  b[i] = a[i] * 2.0f; // HIT: loads follow stores of global memory 3 times
  b[i + 1] = a[i + 1] * 3.0f;
  b[i + 2] = a[i + 2] * 4.0f;
  b[i + 3] = a[i + 3] * 5.0f;
}

__kernel void grouped(__global const float *a, __global float *b) {
  int i = 2 * get_global_id(0);
  float x = a[i], y = a[i + 1];
  b[i] = x; // miss: the loads come first
  b[i + 1] = y;
}

__kernel void restricted(__global const float *restrict a, __global float *restrict b) {
  int i = 4 * get_global_id(0);
  b[i] = a[i] * 2.0f; // miss: restrict lets the compiler reorder
  b[i + 1] = a[i + 1] * 3.0f;
  b[i + 2] = a[i + 2] * 4.0f;
  b[i + 3] = a[i + 3] * 5.0f;
}

__kernel void two(__global const float *a, __global float *b) {
  int i = 2 * get_global_id(0);
  b[i] = a[i]; // miss: once
  b[i + 1] = a[i + 1];
}

__kernel void three(__global const float *a, __global float *b) {
  int i = 3 * get_global_id(0);
  b[i] = a[i]; // HIT: loads follow stores of global memory 2 times
  b[i + 1] = a[i + 1];
  b[i + 2] = a[i + 2];
}

__kernel void by_local_memory(__global const float *a, __global float *b, __local float *c) {
  int i = 3 * get_local_id(0);
  c[i] = a[i]; // miss: the stores are not to global memory
  c[i + 1] = a[i + 1];
  c[i + 2] = a[i + 2];
  b[i] = c[i]; // miss: the loads are not from global memory
  b[i + 1] = c[i + 1];
  b[i + 2] = c[i + 2];
}
