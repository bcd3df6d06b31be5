// RUN: %{python} %{expect} %s
// What the host decides: placeholders that it overrides, steps in bytes.
#ifndef WIDTH
#define WIDTH 1
#endif
#define PLANE (WIDTH * 3)
#ifndef PITCH
#define PITCH 6
#endif
#define ODD 1

__kernel void placeholder(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + get_global_id(1) * WIDTH + 4 * i); // miss: the host gives WIDTH
}

__kernel void computed(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + get_global_id(1) * PLANE + 4 * i); // miss: computed from it
}

__kernel void tuned(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + get_global_id(1) * PITCH + 4 * i); // HIT: no multiple of 16 bytes
}

__kernel void constant_one(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + get_global_id(1) * ODD + 4 * i); // HIT: no multiple of 16 bytes
}
