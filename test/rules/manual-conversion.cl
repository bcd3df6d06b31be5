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

__kernel void one_by_one(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  float4 f;
  f.x = (float)v.x; // HIT: converted component by component
  f.y = (float)v.y;
  f.z = (float)v.z;
  f.w = (float)v.w;
  out[get_global_id(0)] = f;
}

__kernel void one_left_out(__global const uchar4 *in, __global float4 *out) {
  uchar4 v = in[get_global_id(0)];
  float4 f = (float4)(0.0f);
  f.x = (float)v.x; // miss: three of four
  f.y = (float)v.y;
  f.z = (float)v.z;
  out[get_global_id(0)] = f;
}

__kernel void big_endian(__global const uchar *in, __global uint *out) {
  int i = 4 * get_global_id(0);
  out[get_global_id(0)] = ((uint)in[i] << 24) ^ ((uint)in[i + 1] << 16) ^ ((uint)in[i + 2] << 8) ^ in[i + 3]; // HIT: four bytes are packed
}

__kernel void three_bytes(__global const uchar *in, __global uint *out) {
  int i = 4 * get_global_id(0);
  out[get_global_id(0)] = ((uint)in[i] << 16) ^ ((uint)in[i + 1] << 8) ^ in[i + 2]; // miss: three
}

__kernel void colour(__global const float4 *in, __global uint *out) {
  float4 c = in[get_global_id(0)];
  out[get_global_id(0)] = 0xff000000u | ((uint)(c.x * 255.0f) << 16) | ((uint)(c.y * 255.0f) << 8) | (uint)(c.z * 255.0f); // HIT: four bytes are packed
}

__kernel void no_alpha(__global const float4 *in, __global uint *out) {
  float4 c = in[get_global_id(0)];
  out[get_global_id(0)] = ((uint)(c.x * 255.0f) << 16) | ((uint)(c.y * 255.0f) << 8) | (uint)(c.z * 255.0f); // miss: three
}

__kernel void unpack(__global const uint *in, __global uint *out) {
  uint p = in[get_global_id(0)];
  uint r = (p >> 16) & 0xff; // HIT: taken out with shifts
  uint g = (p >> 8) & 0xff;
  uint b = p & 0xff;
  out[get_global_id(0)] = r + g + b;
}

__kernel void unpack_two(__global const uint *in, __global uint *out) {
  uint p = in[get_global_id(0)];
  uint g = (p >> 8) & 0xff; // miss: two bytes
  uint b = p & 0xff;
  out[get_global_id(0)] = g + b;
}

__kernel void nibbles(__global const uint *in, __global uint *out) {
  uint p = in[get_global_id(0)];
  uint r = (p >> 8) & 15, g = (p >> 4) & 15, b = p & 15; // miss: no bytes
  out[get_global_id(0)] = r + g + b;
}
