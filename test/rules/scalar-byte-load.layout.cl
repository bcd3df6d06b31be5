// RUN: %{python} %{expect} %s
__kernel void planes(__global const uchar *in, __global uchar *out, int plane) {
  int i = get_global_id(0);
  uchar4 v = (uchar4)(in[i], in[i + plane], in[i + 2 * plane], 255); // miss: planes become pixels
  vstore4(v, i, out);
}

__kernel void one_plane(__global const uchar *in, __global uchar *out, int plane) {
  int i = get_global_id(0);
  uchar4 v = (uchar4)(in[i], in[i], in[i], 255); // HIT: 'in' is read one uchar at a time
  vstore4(v, i, out);
}

// A structure of bytes is aligned to one.
struct Pixel {
  uchar r, g, b;
};
__kernel void rotated(__global const struct Pixel *in, __global struct Pixel *out, __global const int *from) {
  int i = get_global_id(0);
  out[i] = in[from[i]]; // HIT: 'in.r' is read uchar by uchar, although a work-item takes 3 // HIT: 'out.r' is written uchar by uchar
}

struct Counted {
  uchar r, g, b, a;
  int count;
};
__kernel void rotated_with_count(__global const struct Counted *in, __global struct Counted *out, __global const int *from) {
  int i = get_global_id(0);
  out[i] = in[from[i]]; // miss: the number aligns it to four bytes
}

struct Word {
  uchar r, g, b, a;
};
__kernel void rotated_words(__global const struct Word *in, __global struct Word *out, __global const int *from) {
  int i = get_global_id(0);
  out[i] = in[from[i]]; // miss: four bytes, a word
}

// A key that all work-items read.
__kernel void with_key(__global const uchar *key, __global uint *out) {
  int i = get_global_id(0);
  uint x = out[i];
  for (int k = 0; k < 8; ++k)
    x = x * key[4 * k] + (x ^ key[4 * k + 1]) * key[4 * k + 2] + key[4 * k + 3]; // HIT: 'key' is read uchar by uchar, although a work-item takes 4
  out[i] = x;
}

__kernel void with_two(__global const uchar *key, __global uint *out) {
  int i = get_global_id(0);
  out[i] = out[i] * key[0] + key[1]; // miss: two of them
}

__kernel void with_steps(__global const uchar *key, __global uint *out) {
  int i = get_global_id(0);
  out[i] = out[i] * key[0] + key[4] * key[8] + key[12]; // miss: they are apart
}
