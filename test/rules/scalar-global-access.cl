// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-global-access --option=scalar-global-access.MinAccesses=100 %s

__kernel void saxpy(__global const float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i]; // HIT: 'y' is read and written one float at a time // HIT: 'x' is read one float
}

__kernel void ints(__global int *out, int w) {
  int i = get_global_id(1) * w + get_global_id(0);
  out[i] = i; // HIT: 4 of 16 bytes of each access are used
}

#define ID get_global_id(0)
static float twice(__global const float *p) { return 2.0f * p[ID]; } // HIT: 'in' is read one float
__kernel void helper(__global const float *in, __global float4 *out) {
  out[ID] = (float4)(twice(in));
}

__kernel void tiles(__global float *out) {
  out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 1.0f; // HIT: neighbours in dimension 0
}

__kernel void vectors(__global float *x) {
  size_t i = get_global_id(0);
  vstore4(vload4(i, x), i, x); // miss: vectors
}

__kernel void elements(__global float4 *x) {
  size_t i = get_global_id(0);
  x[i] = x[i] * 2.0f; // miss: vector elements
}

__kernel void rows(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k]; // miss: a row for each work-item
  out[i] = (float4)(sum);
}

__kernel void doubles(__global double *x) {
  x[get_global_id(0)] *= 2.0; // miss: 64-bit elements
}

__kernel void bytes(__global uchar *x) {
  x[get_global_id(0)] = 1; // miss: 8-bit elements belong to scalar-byte-load
}

__kernel void strided(__global float *x) {
  x[2 * get_global_id(0)] = 1.0f; // miss: every other element
}

typedef struct { float a, b; } Pair;
__kernel void fields(__global Pair *p) {
  p[get_global_id(0)].a = 1.0f; // miss: the field of a struct
}

__kernel void counter(__global int *n) {
  atomic_inc(&n[get_global_id(0)]); // miss: atomics have no vector form
}
