// RUN: %{python} %{expect} %s
__kernel void invert(__global const uchar *in, __global uchar *out, int w, int h, int channels) {
  int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  if (x < w && y < h && c < channels)
    out[(y * w + x) * channels + c] = 255 - in[(y * w + x) * channels + c]; // miss: dimension 2 has a few work-items
}

__kernel void three(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  out[3 * (y * w + x) + c] = 255 - in[3 * (y * w + x) + c]; // miss: three of them
}

__kernel void volume(__global const uchar *in, __global uchar *out, int w, int depth) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (y * w + x) * depth + z;
  uchar v = in[at]; // HIT: 'in' is read one uchar at a time
  out[at] = 255 - v; // HIT: 'out' is written one uchar at a time
}
