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
    vstore4(vload4(0, a + i), 0, b + i); // miss: n is assumed to be a multiple of 4
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

// The first work-item.
__kernel void before(__global const float4 *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i - 1] + in[i] + in[i + 1]; // HIT: the float4 load of 'in' begins 16 bytes before the buffer in the first work-item
}

__kernel void behind_the_first(__global const float4 *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n)
    out[i] = in[i - 1] + in[i] + in[i + 1]; // miss: the guard leaves it out
}

__kernel void halo(__global const float4 *in, __global float4 *out, __local float4 *tile) {
  int i = get_global_id(0), l = get_local_id(0);
  if (l == 0)
    tile[0] = in[i - 1]; // HIT: begins 16 bytes before the buffer
  tile[l + 1] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + tile[l + 1];
}

__kernel void last_of_the_group(__global const float4 *in, __global float4 *out) {
  int i = get_global_id(0);
  if (get_local_id(0) == get_local_size(0) - 1)
    out[i] = in[i - 1]; // miss: the launch determines whether that is the first element
}

__kernel void by_an_argument(__global const float4 *in, __global float4 *out, int first) {
  int i = get_global_id(0) + first;
  out[i] = in[i - 1]; // miss: the host determines where it begins
}

__kernel void clamped(__global const float4 *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = in[max(i - 1, 0)]; // miss: clamped
}

// A sum is compared, and the vector begins at it.
__kernel void neighbours(__global const float *in, __global float *out, int width, int height, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float4 sum = (float4)(0.0f);
  for (int dx = -r; dx <= r; ++dx) {
    int nx = x + dx;
    if (nx >= 0 && nx < width)
      sum += vload4(0, &in[y * width + nx]); // HIT: float4 load of 'in' reaches 3 elements past what its guard allows
  }
  out[y * width + x] = sum.x + sum.y;
}

__kernel void neighbours_within(__global const float *in, __global float *out, int width, int height, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float4 sum = (float4)(0.0f);
  for (int dx = -r; dx <= r; ++dx) {
    int nx = x + dx;
    if (nx >= 0 && nx + 3 < width)
      sum += vload4(0, &in[y * width + nx]); // miss: the guard covers the other three
  }
  out[y * width + x] = sum.x + sum.y;
}

__kernel void neighbours_of_others(__global const float *in, __global float *out, int width, int height, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float4 sum = (float4)(0.0f);
  for (int dx = -r; dx <= r; ++dx)
    if (x + dx < width)
      sum += vload4(0, &in[y * width + 4 * dx]); // miss: another sum is compared
  out[y * width + x] = sum.x + sum.y;
}
