// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali-midgard --checks=-*,integer-division %s --fail-on=error | FileCheck %s
// The share of the kernel's cycles: a division in the loop around the one that reads memory takes little, and so
// does one that a loop does not change.
// CHECK-DAG: info: kernel 'by_channel'
// CHECK-DAG: info: kernel 'unchanged'
// CHECK-DAG: warning: kernel 'by_element'
// CHECK-DAG: warning: kernel 'by_lane'
__kernel void by_channel(__global const float4 *in, __global const float *scale, __global float4 *out, int channels, int block) {
  int i = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int c = 0; c < channels; ++c) {
    float by = scale[c * 4 / block]; // HIT: the divisor is the same for all work-items
    for (int k = 0; k < 256; ++k)
      sum += in[(c * 256 + k) * 64 + i] * by; // miss: products
  }
  out[i] = sum;
}

__kernel void by_element(__global const float4 *in, __global const float *scale, __global float4 *out, int channels, int length, int block) {
  int i = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int c = 0; c < channels; ++c)
    for (int k = 0; k < length; ++k)
      sum += in[(c * length + k) * 64 + i] * scale[(c + k) / block]; // HIT: the divisor is the same for all work-items
  out[i] = sum; // miss: no division
}

// Four lanes of a vector: the loop is unrolled, and may be left early.
__kernel void by_lane(__global const float4 *in, __global float4 *out, int group, int size, int channels, int width) {
  int x = get_global_id(0), block = get_global_id(1);
  float4 sum = (float4)(0.0f);
  for (int lane = 0; lane < 4; ++lane) {
    int channel = block * 4 + lane;
    if (channel >= channels)
      break;
    sum += in[(channel / group * size >> 2) * width + x]; // HIT: the divisor is the same for all work-items
  }
  out[block * width + x] = sum; // miss: products
}

__kernel void unchanged(__global const float4 *in, __global const float *scale, __global float4 *out, int length, int block) {
  int i = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < length; ++k)
    sum += in[k * 64 + i] * scale[k + length / block]; // HIT: the divisor is the same for all work-items
  out[i] = sum; // miss: no division
}
