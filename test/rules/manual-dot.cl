// RUN: %{python} %{expect} %s
__kernel void four(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)], b = v[0];
  out[get_global_id(0)] = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; // HIT: an inner product of 4 components
}

__kernel void three(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)];
  out[get_global_id(0)] = a.x * a.x + a.y * a.y + a.z * a.z; // HIT: an inner product of 3 components
}

__kernel void cross_terms(__global const float4 *v, __global float *out) {
  float4 a = v[get_global_id(0)], b = v[0];
  out[get_global_id(0)] = a.x * b.y + a.y * b.z + a.z * b.x; // miss: other components
}

__kernel void builtin(__global const float4 *v, __global float *out) {
  out[get_global_id(0)] = dot(v[get_global_id(0)], v[0]); // miss: dot
}

__kernel void two(__global const float2 *v, __global float *out) {
  float2 a = v[get_global_id(0)];
  out[get_global_id(0)] = a.x * a.x + a.y * a.y; // miss: two components
}

__kernel void scalars(__global float *out, float a, float b, float c) {
  out[get_global_id(0)] = a * a + b * b + c * c; // miss: no vectors
}
