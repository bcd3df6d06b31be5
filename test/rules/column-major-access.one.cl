// RUN: %{python} %{expect} %s
// One dimension counts the elements of an image, row by row or column by column.

__kernel void columns_of_host(__global uchar *image, int w, int h) {
  int id = get_global_id(0);
  int y = id % h, x = id / h;
  image[(y * w + x) * 4] = 1; // HIT: 'image' is walked down its columns: neighbours in dimension 0 are a row apart
  image[(y * w + x) * 4 + 1] = 2; // miss: one finding for each buffer
}

__kernel void columns_known(__global uint *out) {
  uint id = get_global_id(0);
  out[id % 1000 * 500 + id / 1000] = id; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are 2000 bytes apart
}

__kernel void rows_of_host(__global uint *out, int w) {
  int id = get_global_id(0);
  int x = id % w, y = id / w;
  out[y * w + x] = id; // miss: neighbours are neighbours
}

__kernel void planes_of_channels(__global uint *out, int plane) {
  int id = get_global_id(0);
  out[id % 3 * plane + id / 3] = id; // miss: few planes
}

__kernel void other_quotient(__global uint *out, int w, int h, int n) {
  int id = get_global_id(0);
  out[id % h * w + id / n] = id; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are a row apart
}

__kernel void quotient_alone(__global uint *out, int w, int h, int n) {
  int id = get_global_id(0);
  out[id / h * w + id % n] = id; // miss: neighbours are neighbours
}

__kernel void rows_of_pairs(__global const float *data, __global float *out, int columns, int rows) {
  int id = get_global_id(0);
  int i = id / rows, j = id % rows;
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k)
    sum += data[i * columns + k] * data[j * columns + k]; // HIT: 'data' is walked along a row by each work-item of dimension 0
  out[id] = sum; // miss: neighbours are neighbours
}

__kernel void row_of_all(__global const float *data, __global float *out, int columns, int rows) {
  int id = get_global_id(0);
  int i = id / rows;
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k)
    sum += data[i * columns + k]; // miss: most neighbours have the same row
  out[id] = sum;
}

// The step of the loop is that of the launch: the stride may be 1.
__kernel void strided_through_launch(__global const float *in, __global float *out, int stride,
                                     int from, int n) {
  int x = get_global_id(0), at = x * stride + from;
  while (x < n) {
    out[x] = in[at]; // miss: a stride of the host
    x += get_global_size(0);
    at += get_global_size(0) * stride;
  }
}

// A transposition, whatever is written first.
__kernel void turned(__global const uint *in, __global uint *out, uint w, uint h) {
  uint at = get_global_id(0), x = at % w, y = at / w;
  out[x * h + (h - 1 - y)] = in[at]; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are a row apart
}

__kernel void mirrored(__global const uint *in, __global uint *out, uint w, uint h) {
  uint at = get_global_id(0), x = at % w, y = at / w;
  out[(h - 1 - y) * w + x] = in[at]; // miss: rows stay rows
}
