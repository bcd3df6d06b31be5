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
  out[get_global_id(0)] = (float4)((float)v.z, (float)v.y, (float)v.x, (float)v.w); // HIT: converted component by component
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
  f.x = (float)v.x; // HIT: converted component by component
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
  out[get_global_id(0)] = ((uint)(c.x * 255.0f) << 16) | ((uint)(c.y * 255.0f) << 8) | (uint)(c.z * 255.0f); // HIT: converted component by component
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

__kernel void to_bytes(__read_only image2d_t in, __global uchar *out, sampler_t at) {
  int x = 4 * get_global_id(0);
  float4 c = read_imagef(in, at, (int2)(get_global_id(0), 0));
  out[x] = (uchar)(c.x * 255.0f); // HIT: neighbouring elements are converted one by one
  out[x + 1] = (uchar)(c.y * 255.0f);
  out[x + 2] = (uchar)(c.z * 255.0f);
}

__kernel void two_bytes(__read_only image2d_t in, __global uchar *out, sampler_t at) {
  int x = 4 * get_global_id(0);
  float4 c = read_imagef(in, at, (int2)(get_global_id(0), 0));
  out[x] = (uchar)(c.x * 255.0f); // miss: two
  out[x + 1] = (uchar)(c.y * 255.0f);
}

__kernel void apart(__global const float *in, __global uchar *out, int w) {
  int x = get_global_id(0);
  out[x] = (uchar)in[x]; // miss: rows
  out[x + w] = (uchar)in[x + w];
  out[x + 2 * w] = (uchar)in[x + 2 * w];
}

__kernel void three_values(__global const uchar *in, __global uint4 *out) {
  int x = 3 * get_global_id(0);
  uchar r = in[x], g = in[x + 1], b = in[x + 2];
  out[get_global_id(0)] = (uint4)((uint)r, (uint)g, (uint)b, 255); // HIT: converted component by component
}

__kernel void a_place(__global int4 *out) {
  out[get_global_id(0)] = (int4)((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0); // miss: ids
}

__kernel void of_several_types(__global const uchar *in, __global const short *more, __global uint4 *out) {
  int x = get_global_id(0);
  out[x] = (uint4)((uint)in[x], (uint)more[x], (uint)in[x + 1], 255); // miss: bytes and shorts
}

__kernel void shifted_on(__global const uint *in, __global float4 *out) {
  uint u = in[get_global_id(0)];
  float4 f = (float4)(0.0f);
  f.x = u & 0xff; // HIT: taken out with shifts
  u >>= 8;
  f.y = u & 0xff;
  u >>= 8;
  f.z = u & 0xff;
  out[get_global_id(0)] = f;
}

__kernel void masked_first(__global const int *in, __global int *out) {
  int p = in[get_global_id(0)];
  int r = p & 0xff, g = (p & 0xff00) >> 8, b = (p & 0xff0000) >> 16; // HIT: taken out with shifts
  out[get_global_id(0)] = r + g + b;
}

__kernel void masked_elsewhere(__global const int *in, __global int *out) {
  int p = in[get_global_id(0)];
  int r = p & 0xf0, g = (p & 0xf000) >> 8, b = (p & 0xf00000) >> 16; // miss: no bytes
  out[get_global_id(0)] = r + g + b;
}

__kernel void components_of_two(__global const float4 *in, __global int4 *out) {
  float4 a = in[0], b = in[1];
  int x = (int)(a.x * b.x), y = (int)(a.y + b.x), z = (int)(a.z * a.x); // miss: each of several components
  out[get_global_id(0)] = (int4)(x, y, z, 0);
}

__kernel void of_one_component(__global const float4 *in, __global int4 *out) {
  float4 a = in[0];
  int x = (int)(a.x * 2.0f), y = (int)(a.x * 3.0f), z = (int)(a.x * 4.0f); // miss: the same one
  out[get_global_id(0)] = (int4)(x, y, z, 0);
}

__kernel void written_once(__global const float4 *in, __global int *out) {
  float4 a = in[get_global_id(0)];
  int x = (int)a.x, y = (int)a.y; // miss: two components
  out[get_global_id(0)] = x + y;
}
