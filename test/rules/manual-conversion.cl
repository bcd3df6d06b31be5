// RUN: %{python} %{expect} %s
__kernel void widen(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w); // HIT: converted component by component
}

__kernel void pack(__global const uchar4 *in, __global uint *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = v.x | (v.y << 8) | (v.z << 16) | ((uint)v.w << 24); // HIT: four bytes are packed
}

__kernel void builtin(__global const uchar4 *in, __global float4 *out) {
  out[get_global_id(0)] = convert_float4(in[get_global_id(0)]); // miss: convert_float4
}

__kernel void order(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  out[get_global_id(0)] = (float4)((float)v.z, (float)v.y, (float)v.x, (float)v.w); // miss: another order
}

__kernel void wide(__global const int4 *in, __global uint *out) {
  int4 v = in[get_global_id(0)];
  out[get_global_id(0)] = v.x | (v.y << 8) | (v.z << 16) | (v.w << 24); // miss: more than bytes
}
