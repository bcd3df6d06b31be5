// RUN: %{python} %{expect} %s
__kernel void pitch(__global float *x, __global float4 *out, int pitch) {
  int i = get_global_id(0);
  out[i] = *(__global float4 *)(x + i * pitch); // HIT: 'x' is accessed as float4
}

__kernel void next(__global uchar *x, __global uchar4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global uchar4 *)&x[i]; // HIT: no multiple of 4 bytes
}

__kernel void multiple(__global float *x, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = *(__global float4 *)(x + 4 * i); // miss: 16 bytes for each work-item
}

__kernel void whole(__global float *x, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = ((__global float4 *)x)[i]; // miss: cast first, and then indexed
}

__kernel void vload(__global float *x, __global float4 *out, int pitch) {
  int i = get_global_id(0);
  out[i] = vload4(0, x + i * pitch); // miss: vload needs no alignment
}

__kernel void mirrored(__global uchar *image, int height, int pitch, __global uchar4 *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = *(__global uchar4 *)(image + (height / 2 + y) * pitch + 4 * x); // HIT: no multiple of 4 bytes
}

__kernel void rounded(__global uchar *image, int pitch, __global uchar4 *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = *(__global uchar4 *)(image + y * (pitch & ~3) + 4 * x); // miss: the mask makes it one
}
