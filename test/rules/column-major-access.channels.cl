// RUN: %{python} %{expect} %s
// Three planes are the channels of a pixel; sixteen are rows.
__kernel void planes_of_channels(__global uint *out, int plane) {
  int id = get_global_id(0);
  out[id % 3 * plane + id / 3] = id; // miss: few planes
}

__kernel void rows(__global uint *out, int plane) {
  int id = get_global_id(0);
  out[id % 16 * plane + id / 16] = id; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are a row apart
}

// Packed pixels with a step that is known or not.
__kernel void some_of_the_channels(__global uchar *out, int step, int channels) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int c = 0; c < channels; ++c)
    out[(y * get_global_size(0) + x) * step + c] /= 2; // miss: a pixel
}

__kernel void four_channels(__global uchar *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  out[(y * w + x) * 4 + c] /= 2; // miss: a pixel
}

__kernel void rows_of_128(__global uchar *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  out[(y * w + x) * 128 + c] /= 2; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are 128 bytes apart
}
