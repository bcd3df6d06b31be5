// RUN: %{python} %{expect} %s
// One step before floating point is information: each number is made 32 bits wide again, or a half by itself.
// RUN: clmali-lint --device=mali --checks=-*,wide-integer --fail-on=warning %s -- -DSTEP_ONLY
// RUN: not clmali-lint --device=mali --checks=-*,wide-integer --fail-on=warning %s
__kernel void dequantize(__global const uchar16 *in, __global float16 *out, float scale) {
  int i = get_global_id(0);
  int16 q = convert_int16(in[i]);
  q -= (int16)(12); // HIT: which fit short
  out[i] = convert_float16(q) * scale; // miss: floating point
}

__kernel void nibbles(__global const uchar2 *in, __global const float4 *by, __global float4 *out) {
  int i = get_global_id(0);
  uchar2 packed = in[i];
  char4 w;
  w.x = packed.x >> 4; // HIT: which fit short
  w.y = packed.x & 15;
  w.z = packed.y >> 4;
  w.w = packed.y & 15;
  out[i] = convert_float4(w) * by[i]; // miss: floating point
}

#ifndef STEP_ONLY
__kernel void gradient(__global const uchar *in, __global float *out, int width) {
  int i = get_global_id(0);
  int x = in[i + 1] - in[i - 1] + 2 * (in[i + 1 + width] - in[i - 1 + width]); // HIT: which fit short
  out[i] = (float)x * 0.25f; // miss: many steps, and one number that is floating point then
}

__kernel void counted_beside(__global float4 *at, __global const float4 *speed, __global uchar *hits, float dt) {
  int i = get_global_id(0);
  float4 p = at[i], v = speed[i];
  float x = p.x + v.x * dt, y = p.y + v.y * dt, z = p.z + v.z * dt;
  if (x * x + y * y + z * z < 1.0f)
    hits[i] += 1; // miss: one operation among a dozen in floating point
  at[i] = (float4)(x, y, z, p.w);
}

__kernel void counted_alone(__global const float4 *at, __global uchar *hits) {
  int i = get_global_id(0);
  if (at[i].x * at[i].y < 1.0f)
    hits[i] += 1; // HIT: which fit short
}
#endif
