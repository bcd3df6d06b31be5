// RUN: %{python} %{expect} %s
// Components of one vector in memory are one load.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CONVERT(x) ((float4)((float)(x).s0, (float)(x).s1, (float)(x).s2, (float)(x).s3))
__kernel void whole(__global float4 *restrict o, __global const half *restrict a, int stride) {
  int i = get_global_id(0);
  __global const half4 *v = (__global const half4 *)(a + i * stride);
  float4 s = 0;
  for (int j = 0; j < 16; ++j)
    s = mad((float4)(0.5f), CONVERT(v[j]), s); // miss: a half4
  o[i] = s;
}

__kernel void halves(__global float4 *restrict o, __global const uchar *restrict a, int stride) {
  int i = get_global_id(0);
  __global const uchar4 *v = (__global const uchar4 *)(a + i * stride);
  float4 s = 0;
  for (int j = 0; j < 16; ++j)
    s += (float4)(v[j].x, v[j].y, v[j].z, v[j].w); // miss: a uchar4
  o[i] = s;
}

__kernel void one_by_one(__global float4 *restrict o, __global const uchar *restrict a, int stride) {
  int i = get_global_id(0);
  __global const uchar *v = a + i * stride;
  float4 s = 0;
  for (int j = 0; j < 16; ++j)
    s += (float4)(v[4 * j], v[4 * j + 1], v[4 * j + 2], v[4 * j + 3]); // HIT: 'a' is read uchar by uchar
  o[i] = s;
}
