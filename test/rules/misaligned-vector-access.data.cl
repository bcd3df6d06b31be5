// RUN: %{python} %{expect} %s
// Where memory says where a vector begins, it may begin anywhere.
__kernel void named(__global const float *in, __global const int *from, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + from[i]); // HIT: 'in' is accessed as float4 at an address that depends on loaded data
}

__kernel void masked(__global const float *in, __global const int *from, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + (from[i] & ~3)); // miss: a multiple of four
}

__kernel void masked_less(__global const float *in, __global const int *from, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + (from[i] & ~1)); // HIT: may be no multiple of 16 bytes
}

__kernel void counted(__global const float *in, __global const int *from, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global const float4 *)(in + from[i] * 4); // miss: whole vectors are counted
}
