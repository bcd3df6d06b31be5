// RUN: %{python} %{expect} %s
// What tuned kernels take one by one because it is no row: planes that become vectors, what a row of work-items shares.

__kernel void planes_to_vectors(__global const float *in, __global float *out, int plane) {
  int i = get_global_id(0);
  int at = i;
  float4 v = 0.0f;
  v.x = in[at]; // miss: four planes become one vector, which is stored whole
  at += plane;
  v.y = in[at];
  at += plane;
  v.z = in[at];
  at += plane;
  v.w = in[at];
  vstore4(v, i, out);
}

__kernel void planes_to_scalar(__global const float *in, __global float *out, int plane) {
  int i = get_global_id(0);
  float4 v = (float4)(in[i], in[i + plane], in[i + 2 * plane], in[i + 3 * plane]); // HIT: 'in' is read one float at a time
  out[i] = dot(v, v); // HIT: 'out' is written one float at a time
}

__kernel void row_to_vector(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float4 v = (float4)(in[4 * i], in[4 * i + 1], in[4 * i + 2], in[4 * i + 3]); // HIT: 'in' is read one float at a time
  vstore4(v, i, out);
}

__kernel void constructed(__global const float *in, __global float *out, int plane) {
  int i = get_global_id(0);
  float4 v = (float4)(in[i], in[i + plane], in[i + 2 * plane], in[i + 3 * plane]); // miss: lanes of what is stored whole
  vstore4(v, i, out);
}

__kernel void planes_in_a_loop(__global const float *in, __global float *out, int plane) {
  int i = get_global_id(0);
  float16 v = 0.0f;
  float *lane = (float *)&v;
  for (int k = 0; k < 16; ++k)
    lane[k] = in[i + k * plane]; // miss: sixteen planes
  vstore16(v, i, out);
}

__kernel void texel_to_planes(__read_only image2d_t in, __global float *out, int w, int plane) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  float4 v = read_imagef(in, nearest, (int2)(x, y));
  int at = y * w + x;
  out[at] = v.x; // miss: a texel is taken apart into planes
  out[at + plane] = v.y; // miss: another plane
  out[at + 2 * plane] = v.z;
  out[at + 3 * plane] = v.w;
}

__kernel void vector_to_row(__global const float4 *in, __global float *out) {
  int i = get_global_id(0);
  float4 v = in[i];
  out[4 * i] = v.x; // HIT: 'out' is written one float at a time
  out[4 * i + 1] = v.y;
  out[4 * i + 2] = v.z;
  out[4 * i + 3] = v.w;
}

__kernel void grey(__read_only image2d_t in, __global float *out, int w) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = read_imagef(in, nearest, (int2)(x, y)).x; // HIT: 'out' is written one float at a time
}

__kernel void bias(__global float *x, __global const float *of_row, int w) {
  int c = get_global_id(1), i = get_global_id(0);
  x[c * w + i] += // HIT: 'x' is read and written one float at a time
      of_row[c]; // miss: all of a row read one number
}

__kernel void gather(__global const float4 *in, __global const int *rows, __global float4 *out, int w) {
  int i = get_global_id(0), r = get_global_id(1);
  out[r * w + i] = in[rows[r] * w + i]; // miss: the index is the same for a row
}

__kernel void swapped_bias(__global float4 *x, __global const float *of_column, int h) {
  int y = get_global_id(0), c = get_global_id(1);
  x[(c * h + y) * 64] += (float4)of_column[c]; // HIT: 'of_column' is read one float at a time
}

__kernel void block(__global const float *a, __global const float *b, __global float *c, int n, int k) {
  int x = get_global_id(0), r = get_global_id(1) % 4;
  float4 sum = 0.0f;
  for (int i = 0; i < k; i += 4)
    sum += a[i + r] * vload4(0, b + i * n + 4 * x); // miss: a number against a vector of the other matrix
  vstore4(sum, 0, c + r * n + 4 * x);
}

__kernel void pooled(__global const float *in, __global float *out, int iw, int ih, int ow, int oh, int s, int k) {
  int i = get_global_id(0);
  int y = i / ow % oh * s, x = i % ow * s;
  float sum = 0.0f;
  for (int v = max(y - 1, 0); v < min(y + k, ih); ++v)
    for (int u = max(x - 1, 0); u < min(x + k, iw); ++u)
      sum += in[v * iw + u];
  out[i] = sum; // miss: windows that end elsewhere, in other rows
}

__kernel void pooled_in_steps(__global const float *in, __global float *out, int iw, int ih, int ow, int oh, int s, int k,
                              int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int y = i / ow % oh * s, x = i % ow * s;
    float sum = 0.0f;
    for (int v = max(y - 1, 0); v < min(y + k, ih); ++v)
      for (int u = max(x - 1, 0); u < min(x + k, iw); ++u)
        sum += in[v * iw + u];
    out[i] = sum; // miss: the launches step through the data
  }
}

__kernel void filtered(__global const float *in, __global float *out, int w, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int u = max(x - k, 0); u < min(x + k, w); ++u)
    sum += in[y * w + u]; // HIT: 'in' is read one float at a time
  out[y * w + x] = sum; // HIT: 'out' is written one float at a time
}
