// RUN: %{python} %{expect} %s
__kernel void data(__global const int *in, __global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += (float)in[k]; // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

__kernel void implicit(__global const uint *in, __global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += in[k] * 2.0f; // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

__kernel void fast(__global const int *in, __global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += convert_float_rtz(in[k]); // miss: toward zero
  out[get_global_id(0)] = total;
}

__kernel void once(__global const int *in, __global float *out) {
  out[get_global_id(0)] = (float)in[get_global_id(0)]; // HIT: an integer is converted to float, rounded
}

__kernel void bytes(__global const uchar *in, __global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += (float)in[k]; // miss: 8 bits, always exact
  out[get_global_id(0)] = total;
}

__kernel void from_ids(__global float *out, int n) {
  int first = get_global_id(0) * n;
  float total = 0.0f;
  for (int k = first; k < first + n; ++k)
    total += (float)k; // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

__kernel void counter(__global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += (float)k; // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

__kernel void few_rounds(__global float *out) {
  float total = 0.0f;
  for (int k = 0; k < 100; ++k)
    total += (float)k; // miss: the range of the counter is known
  out[get_global_id(0)] = total;
}

__kernel void the_same(__global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += (float)n * total; // miss: converted once
  out[get_global_id(0)] = total;
}

__kernel void masked(__global const uint *in, __global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += (float)(in[k] & 0xff); // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

__kernel void signs(__global const float *in, __global float *out, int n) {
  float total = 0.0f;
  for (int k = 0; k < n; ++k) {
    int sign = in[k] < 0.0f ? -1 : 1;
    total += (float)sign; // miss: one of two numbers
  }
  out[get_global_id(0)] = total;
}

__kernel void vectors_once(__global float4 *out, int w) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 place = (convert_float2(at) + 0.5f) / 7.0f; // HIT: an integer is converted to float, rounded
  out[at.y * w + at.x] = (float4)(place, place * convert_float2(at)); // miss: already reported
}

__kernel void no_numbers(__global const ushort *in, __global float *out, int w) {
  int i = get_global_id(0);
  float f = (float)w; // miss: the same for all
  f += (float)in[i]; // miss: 16 bits, always exact
  f += (float)(in[i] > 7 ? 3 : 2); // miss: one of two numbers
  out[i] = f + (float)3; // miss: a constant
}

__kernel void in_both(__global const int *in, __global float *out, int n) {
  float total = (float)in[0]; // miss: that of the loop counts
  for (int k = 0; k < n; ++k)
    total += (float)in[k]; // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

uint next(uint *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state;
}

// Random numbers seeded by an id: their values are unknown.
__kernel void random_numbers(__global float *out, int n) {
  uint state = get_global_id(0) * 7919;
  float total = 0.0f;
  for (int k = 0; k < n; ++k)
    total += (float)(next(&state) & 0xffff) / 65536.0f; // HIT: converted to float in a loop
  out[get_global_id(0)] = total;
}

__kernel void counted(__global float *out) {
  float total = 0.0f;
  for (int k = 0; k < 100; ++k)
    total += (float)(2 * k + 1); // miss: a counter of a few rounds
  out[get_global_id(0)] = total;
}
