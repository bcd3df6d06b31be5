// RUN: %{python} %{expect} %s
// A window that is cut off where rows end, but is read whole before that.
__kernel void window(__global const float *in, __global float *out) {
  int at = get_global_id(0);
  if (at < 1024) {
    int row = at / 32 - 1, column = at % 32 - 1;
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
      float3 v;
      if (row + i < 0 || row + i >= 32)
        v = (float3)(0.0f);
      else if (column < 0) {
        v = vload3(0, in + (row + i) * 32 + column); // HIT: begins 4 bytes before the buffer in the first work-item
        v.x = 0.0f;
      } else
        v = vload3(0, in + (row + i) * 32 + column);
      sum += v.x + v.y + v.z;
    }
    out[at] = sum;
  }
}

__kernel void inside(__global const float *in, __global float *out) {
  int at = get_global_id(0);
  if (at < 1024) {
    int row = at / 32 - 1, column = at % 32 - 1;
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i)
      if (row + i >= 0 && row + i < 32 && column >= 0 && column < 30) {
        float3 v = vload3(0, in + (row + i) * 32 + column); // miss: not in the first column
        sum += v.x + v.y + v.z;
      }
    out[at] = sum;
  }
}

__kernel void below(__global const float *in, __global float *out) {
  int at = get_global_id(0);
  int row = at / 32, column = at % 32 - 1;
  float sum = 0.0f;
  for (int i = 1; i < 3; ++i) {
    float3 v = vload3(0, in + (row + i) * 32 + column); // miss: the row is never the first one
    sum += v.x + v.y + v.z;
  }
  out[at] = sum;
}

__kernel void backwards(__global const float *in, __global float *out) {
  int at = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 4; ++i)
    sum += vload4(0, in + at - i); // HIT: begins 4 bytes before the buffer in the first work-item
  out[at] = sum.x + sum.w;
}

__kernel void backwards_by_the_host(__global const float *in, __global float *out, int n) {
  int at = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < n; ++i)
    sum += vload4(0, in + at - i); // miss: a second iteration is not certain
  out[at] = sum.x + sum.w;
}

__kernel void backwards_to_the_first(__global const float *in, __global float *out) {
  int at = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 4; ++i) {
    if (at - i < 0)
      break;
    sum += vload4(0, in + at - i); // miss: it stops at the first element
  }
  out[at] = sum.x + sum.w;
}

__kernel void behind_a_halo(__global const float *in, __global float *out, int halo) {
  int at = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 4; ++i)
    sum += vload4(0, in + halo + at - i); // miss: the host determines the offset
  out[at] = sum.x + sum.w;
}
