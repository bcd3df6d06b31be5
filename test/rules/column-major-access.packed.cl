// RUN: %{python} %{expect} %s
// Packed pixels: what bounds the elements of a pixel is no length of a row.
__kernel void invert(__global const uchar *in, __global uchar *out, int w, int h, int channels) {
  int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  if (x < w && y < h && c < channels)
    out[(y * w + x) * channels + c] = 255 - in[(y * w + x) * channels + c]; // miss: neighbours are a pixel apart
}

#define AT(x, y, c) ((y) * pitch + (x) * step + (c))
__kernel void brighter(__global float *pixels, uint w, uint h, uint step, uint pitch) {
  uint x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  if (!(c < step) || x >= w || y >= h)
    return;
  uint rows = step * pitch;
  pixels[y * rows + x * step + c] *= 1.5f; // miss: the same, by an early return
}

// The rows of a plane, and rows that nothing bounds.
__kernel void planes(__global const float *in, __global float *out, int w, int h, int plane) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < w && y < h)
    out[(y * w + x) * plane + z] = 2.0f * in[(y * w + x) * plane + z]; // HIT: 'out' is walked down its columns
}

__kernel void columns(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    out[x * h + y] = 2.0f * in[x * h + y]; // HIT: 'out' is walked down its columns
}
