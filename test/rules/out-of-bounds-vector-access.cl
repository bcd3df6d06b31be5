// RUN: %{python} %{expect} %s

__kernel void guarded(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    b[i] = vload4(0, a + i).s3; // HIT: the float4 load of 'a' reaches 3 elements past what its guard allows
}

__kernel void rows(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  uchar16 v = vload16(0, in + 3 * (y * w + x)); // HIT: reaches 13 elements past
  out[y * w + x] = v.s0 / 3 + v.s1 / 3 + v.s2 / 3;
}

__kernel void loop(__global const float *in, __global float4 *out, int n) {
  float4 sum = (float4)(0);
  for (int k = 0; k < n; ++k)
    sum += vload4(0, in + k); // HIT: reaches 3 elements past what its loop allows
  out[get_global_id(0)] = sum;
}

__kernel void array(__global float4 *out) {
  float part[8];
  for (int k = 0; k < 8; ++k)
    part[k] = k;
  out[get_global_id(0)] = vload4(0, part + 6); // HIT: reaches 8 bytes past the array's 32
}

// 16 bytes are loaded where a work-item steps over 15.
__kernel void share(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0) * 15;
  uchar16 v = vload16(0, in + i); // HIT: reaches 1 byte past the 15 that one work-item of dimension 0 steps over
  vstore8(v.s01234567, 0, out + i);
  vstore4(v.s89ab, 0, out + i + 8);
  vstore2(v.scd, 0, out + i + 12);
  out[i + 14] = v.se;
}

__kernel void right(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (i < n - 3)
    b[i] = vload4(0, a + i).s3; // miss: the guard leaves room for the vector
}

__kernel void blocks(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    vstore4(vload4(i, a), i, b); // miss: n counts vectors
}

__kernel void last(__global const float *a, __global float *b, int n) {
  int i = 4 * get_global_id(0);
  if (i + 3 < n)
    vstore4(vload4(0, a + i), 0, b + i); // miss: the last element is compared
}

__kernel void multiple(__global const float *a, __global float *b, int n) {
  int i = 4 * get_global_id(0);
  if (i < n)
    vstore4(vload4(0, a + i), 0, b + i); // miss: n is meant to be a multiple of 4
}

__kernel void steps(__global const float *in, __global float4 *out, int n) {
  float4 sum = (float4)(0);
  for (int k = 0; k < n; k += 4)
    sum += vload4(0, in + k); // miss: steps of the vector's length
  out[get_global_id(0)] = sum;
}

__kernel void fits(__global float4 *out) {
  float part[8];
  for (int k = 0; k < 8; ++k)
    part[k] = k;
  out[get_global_id(0)] = vload4(0, part + 4); // miss: the array's last four
}

__kernel void own_share(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0) * 16;
  vstore16(vload16(0, in + i), 0, out + i); // miss: exactly its share
}

__kernel void stencil(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w - 2)
    out[y * w + x] = vload3(0, in + y * w + x).s2; // miss: three elements, and the guard leaves two
}
