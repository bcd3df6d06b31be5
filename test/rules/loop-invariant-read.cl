// RUN: %{python} %{expect} %s
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void conv(read_only image2d_t src, read_only image2d_t wts, __global float4 *out, int taps) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0.0f;
  for (int t = 0; t < taps; ++t)
    for (int c = 0; c < 4; ++c) {
      float4 p = read_imagef(src, nearest, (int2)(x + t, y)); // HIT: the read of 'src' does not depend on the loop over 'c'
      float4 w = read_imagef(wts, nearest, (int2)(4 * t + c, 0)); // miss: it does
      sum += p.x * w;
    }
  out[y * get_global_size(0) + x] = sum;
}
__kernel void inside(read_only image2d_t src, __global uint4 *out, int n) {
  int x = get_global_id(0), k = 0;
  uint4 sum = 0;
  while (k < n) {
    int2 at = (int2)(x, 7);
    sum += read_imageui(src, nearest, at + (int2)(1, 0)); // HIT: the read of 'src' does not depend on the loop
    sum += read_imageui(src, nearest, (int2)(x, k)); // miss: k changes
    ++k;
  }
  out[x] = sum;
}
__kernel void table(__global const float *scale, __global float *in, __global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i * n + k] = in[i * n + k] * scale[i]; // HIT: the compiler must assume that the store to 'out' in the loop changes it
}
__kernel void rounds(__global const float *restrict seed, __global float *restrict out, int n) {
  __local float tile[64];
  int l = get_local_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) {
    tile[l] = s + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    s += tile[63 - l] * seed[l]; // HIT: the barrier in the loop makes the compiler load it again
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s;
}

__kernel void hoisted(read_only image2d_t src, __global float4 *out, int n) {
  int x = get_global_id(0);
  float4 p = read_imagef(src, nearest, (int2)(x, 0)); // miss: before the loop
  for (int k = 0; k < n; ++k)
    out[x * n + k] = p * k;
}
__kernel void some(read_only image2d_t src, __global float4 *out, int n) {
  int x = get_global_id(0);
  float4 sum = 0.0f;
  for (int k = 0; k < n; ++k)
    if (k & 1)
      sum += read_imagef(src, nearest, (int2)(x, 0)); // miss: under a condition
  out[x] = sum;
}
__kernel void by_compiler(__global const float *restrict scale, __global float *restrict out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    out[i * n + k] *= scale[i]; // miss: restrict lets the compiler move it
}
__kernel void written(__global float *x, __global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    out[i * n + k] = x[i]; // miss: x changes in the loop
    x[i] = x[i] * 2;
  }
}
