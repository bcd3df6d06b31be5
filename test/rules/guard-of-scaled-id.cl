// RUN: %{python} %{expect} %s
#define COLUMN (2 * (int)get_global_id(0))
__kernel void two_limits(__global const float *in, __global float *out, int items, int w) {
  int x = COLUMN, y = get_global_id(1);
  if (items <= x) // HIT: 2 times the global id is compared with 'items', and its next element with 'w'
    return;
  out[y * w + x] = in[y * w + x];
  if (x + 1 < w)
    out[y * w + x + 1] = in[y * w + x + 1];
}

__kernel void images(__read_only image2d_t in, __write_only image2d_t out, int items, int w) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  int x = COLUMN, y = get_global_id(1);
  if (x < items) { // HIT: 2 times the global id is compared with 'items'
    write_imagef(out, (int2)(x, y), read_imagef(in, s, (int2)(x, y)));
    if (x <= w - 2)
      write_imagef(out, (int2)(x + 1, y), read_imagef(in, s, (int2)(x + 1, y)));
  }
}

__kernel void number_of_items(__global float *x) {
  size_t i = get_global_id(0) << 2;
  if (i < get_global_size(0)) // HIT: 4 times the global id is compared with the number of work-items
    x[i] = 0.0f;
}

bool in(int x, int w) { return x < w; }
__kernel void one_limit(__global const float *in_, __global float *out, int items, int w) {
  int x = COLUMN;
  if (!in(x, w)) // miss: both have one limit
    return;
  out[x] = in_[x];
  if (in(x + 1, w)) // miss: the same
    out[x + 1] = in_[x + 1];
}

__kernel void twice_the_items(__global const float *in, __global float *out, int items, int w) {
  int x = COLUMN;
  if (x >= 2 * items) // miss: as many as there are elements
    return;
  out[x] = in[x];
  if (x + 1 < w)
    out[x + 1] = in[x + 1];
}

__kernel void rows_and_columns(__global float *out, int w, int h) {
  int x = COLUMN, y = 2 * get_global_id(1);
  if (x >= w || y + 1 >= h) // miss: of two dimensions
    return;
  out[y * w + x] = out[(y + 1) * w + x];
}
