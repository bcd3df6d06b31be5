// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --fail-on=info --checks=-*,reused-global-without-local --option=reused-global-without-local.MinReads=9 %S/Inputs/stencil.cl
__kernel void stencil(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1] + in[i + 2]; // HIT: each element of 'in' is read by 3 neighbouring work-items
}

__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x]; // HIT: of 'a' is read by every work-item of dimension 0 // HIT: of 'b' is read by every work-item of dimension 1
  c[y * n + x] = sum;
}

__kernel void own(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2]; // miss: each element is read once
}

__kernel void two(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1]; // miss: two readers
}

__kernel void staged(__global const float *in, __global float *out) {
  __local float tile[66];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l] = in[i]; // miss: it is staged
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + in[i + 1] + in[i + 2];
}

__kernel void in_place(__global float *data) {
  int i = 4 * get_global_id(0);
  data[i] = data[i + 1] + data[i + 2] + data[i + 3]; // miss: the buffer is written
}

__kernel void cross(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]; // HIT(powervr-rogue): neighbouring work-items of dimensions 0 and 1
}

__kernel void planes(__global const float *in, __global float *out, int w, int plane) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + in[y * w + x + plane] + in[y * w + x + 2 * plane]; // miss: nobody else's plane
}

__kernel void product_of_rows(__global const float *a, __global const float *b, __global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x]; // HIT(powervr-rogue): each element of 'a' // HIT(powervr-rogue): each element of 'b'
  c[y * n + x] = sum;
}

__kernel void listed(__global const uint *in, __global uint *list) {
  uint i = get_global_id(0), bits = 0;
  for (int k = 0; k < 64; ++k)
    bits |= in[i + k * get_global_size(0)]; // miss: there is no other dimension, wherever the list is written
  if (bits)
    list[atomic_inc(list)] = i;
}

__kernel void lone_dimension(__global const float *in, __global float *out) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k)
    sum += in[8 * x + k]; // miss: each work-item its own
  out[x] = sum;
}
