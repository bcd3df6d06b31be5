// RUN: %{python} %{expect} %s
// TILE is the host's: what it is taken for says nothing of how far neighbours are apart.
__kernel void tiles(__global const float *in, __global float *out, int w, int plane) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float4 v = vload4(0, in + z * plane + y * w + x * TILE); // miss: a tile is a few elements
  out[(y * w + x) * plane + z] = v.x + v.y - v.z; // HIT: is walked down its columns, and another buffer is not
}

__kernel void small_tiles(__global const float *in, __global float *out, int w, int plane) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float4 v = vload4(0, in + z * plane + y * w + x * TILE); // miss: a tile is a few elements
  out[z * plane + y * w + x] = v.x + v.y - v.z;
}

__kernel void steps(__global const float *in, __global float *out, int n) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[x * TILE + k]; // miss: it may be 1
  out[x] = sum;
}

__kernel void steps_of_64(__global const float *in, __global float *out, int n) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[x * 64 + k]; // HIT: 'in' is walked along a row by each work-item
  out[x] = sum;
}

__kernel void pixels(__global const float *in, __global float *out, int w, int plane) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float4 v = vload4(0, in + z * plane + y * w + x * 64);
  out[(y * w + x) * plane + z] = v.x + v.y - v.z; // HIT: 'out' is walked down its columns
}

__kernel void features(__global const float *in, __global float *out) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < FEATURES; ++k)
    sum += in[x * FEATURES + k]; // HIT: 'in' is walked along a row by each work-item of dimension 0: neighbours are a row apart
  out[x] = sum;
}

__kernel void part_of_features(__global const float *in, __global float *out) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k)
    sum += in[x * FEATURES + k]; // miss: it may be 4
  out[x] = sum;
}

// The number that is the other buffer's row is one here, too.
__kernel void transposed(__global const float *in, __global float *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * LENGTH + y] = in[y * LENGTH + x]; // HIT: 'out' is walked down its columns, and another buffer is not: neighbours in dimension 0 are a row apart
}

__kernel void channels(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * CHANNELS + y] = in[y * w + x]; // miss: there may be three of them
}

__kernel void rows(__global float *out) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * COLUMNS + x] *= 2.0f; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are a row apart
}

__kernel void rows_of_groups(__global float *out) {
  int y = get_global_id(0), x = get_local_id(1);
  out[y * COLUMNS + x] *= 2.0f; // miss: x is a place in the group
}

__kernel void units(__global const float *in, __global float *out, int n) {
  int x = get_global_id(0);
  float part[UNIT] = {0.0f};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < UNIT; ++k)
      part[k] += in[(i * n + x) * UNIT + k]; // miss: what the work-item holds is a few elements
  for (int k = 0; k < UNIT; ++k)
    out[x * UNIT + k] = part[k];
}
