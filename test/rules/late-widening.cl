// RUN: %{python} %{expect} %s
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void vectors(__global const half4 *a, __global const half4 *b, __global float4 *out, int n) {
  int i = get_global_id(0);
  float4 s = 0.0f;
  for (int k = 0; k < n; ++k)
    s += convert_float4(a[i * n + k] * b[k]); // HIT: computed in half4, and the result converted to float4
  out[i] = s;
}
__kernel void by_cast(__global const half *a, __global float *out) {
  int i = get_global_id(0);
  out[i] = (float)(a[i] * a[i + 1]); // HIT: computed in half, and the result converted to float
}
__kernel void implicit(__global const half *a, __global const half *b, __global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[i * n + k] * b[k]; // HIT: computed in half, and the result converted to float
  out[i] = s;
}
int4 square(uchar4 x) { return convert_int4(x * x); } // HIT: wraps around at 8 bits
__kernel void bytes(__global const uchar4 *a, __global int4 *out) {
  int i = get_global_id(0);
  out[i] += square(a[i]);
}
__kernel void sum_of_bytes(__global const uchar8 *a, __global ushort8 *out) {
  int i = get_global_id(0);
  out[i] = convert_ushort8(a[i] + a[i + 1]); // HIT: wraps around at 8 bits
}
__kernel void long_index(__global const float *a, __global float *out, int n) {
  int i = get_global_id(0);
  out[i] = a[(long)(i * n)]; // HIT: wraps around at 32 bits
}

__kernel void early(__global const half4 *a, __global const half4 *b, __global float4 *out, int n) {
  int i = get_global_id(0);
  float4 s = 0.0f;
  for (int k = 0; k < n; ++k)
    s += convert_float4(a[i * n + k]) * convert_float4(b[k]); // miss: the operands are converted
  out[i] = s;
}
__kernel void one_cast(__global const half *a, __global float *out, float w) {
  int i = get_global_id(0);
  out[i] += a[i] * w; // miss: one operand is a float
  out[i] += (float)a[i]; // miss: no arithmetic
}
__kernel void early_bytes(__global const uchar4 *a, __global int4 *out) {
  int i = get_global_id(0);
  int4 x = convert_int4(a[i]);
  out[i] += x * x; // miss: converted before
  out[i] += convert_int4(a[i] / (uchar4)(2)); // miss: a quotient loses nothing more
}
__kernel void scalars(__global const uchar *a, __global int *out) {
  int i = get_global_id(0);
  out[i] += (int)(a[i] * a[i]); // miss: C computes it as int
}
__kernel void fits(__global const uchar4 *a, __global ushort4 *out) {
  int i = get_global_id(0);
  out[i] = convert_ushort4((a[i] & (uchar4)(15)) + (a[i] >> (uchar4)(4))); // miss: at most 30
}
__kernel void small_index(__global const float *a, __global float *out) {
  int l = get_local_id(0) & 63;
  out[get_global_id(0)] = a[(long)(l * 64)]; // miss: at most 4032
}
