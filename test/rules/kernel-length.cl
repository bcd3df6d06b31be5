// RUN: %{python} %{expect} %s
// RUN: not clmali-lint --device=powervr --fail-on=info --checks=-*,kernel-length --option=kernel-length.MinOperations=100 %S/Inputs/stencil.cl
__kernel void tiny(__global float *x) { // HIT: it executes about
  x[get_global_id(0)] = 0.0f;
}

__kernel void huge(__global float *x) { // HIT: it starves everything else
  float v = x[get_global_id(0)];
  for (int k = 0; k < 4000; ++k)
    v = v * v + 1.0f;
  x[get_global_id(0)] = v;
}

__kernel void middle(__global float *x, float a, float b) { // miss: between the two
  float v = x[get_global_id(0)];
  for (int k = 0; k < 16; ++k)
    v = a * v * v + b;
  x[get_global_id(0)] = v;
}

__kernel void unknown(__global float *x, int n) { // miss: a loop of unknown length
  float v = 0.0f;
  for (int k = 0; k < n; ++k)
    v += 1.0f;
  x[get_global_id(0)] = v;
}

__kernel void wide_and_short(__global float4 *x, float4 a, float4 b) { // miss: it moves 128 bits with each access
  float4 v = x[get_global_id(0)];
  x[get_global_id(0)] = a * v * v + b * v;
}

__kernel void wide_and_nothing(__global const float4 *x, __global float4 *y) { // HIT: it executes about 2 operations
  y[get_global_id(0)] = x[get_global_id(0)];
}

__kernel void one_value(__global float *x, __global const float *b, int n) { // HIT: it executes about
  int i = get_global_id(0);
  if (i < n)
    x[i * n + (n - 1)] = x[i * n + (n - 1)] / b[i * n + (n - 1)]; // one place, three times
}

__kernel void several_values(__global float *x, __global const float *b, int n) { // miss: three places
  int i = get_global_id(0);
  if (i < n)
    x[i * n + 3] = x[i * 2 + 1] / b[i * 5 + 2];
}

__kernel void alike(__global float *x, int a, int b, int c) { // HIT: it executes about
  x[get_global_id(0)] = (float)(a * b * c + a * b + b * c + a + b + c); // before, for all of them
}

__kernel void of_each(__global float *x, int a, int b, int c) { // miss: each computes its own
  int i = get_global_id(0);
  x[i] = (float)(a * i * c + a * i + i * c + a + i + c) + 0.5f * i;
}
