// RUN: %{python} %{expect} %s
// A header that declares the built-ins itself: they are what they are called.
#define BUILT_IN __attribute__((overloadable, const))
uint BUILT_IN min(uint x, uint y);
uint BUILT_IN max(uint x, uint y);
uint chosen(uint x, uint y);

__global const uchar *at(__global const uchar *image, uint w, uint h, uint x, uint y) {
  return &image[max(0u, min(y, h - 1)) * w + max(0u, min(x, w - 1))];
}

__kernel void clamped(__global const uchar *in, __global int4 *out, uint w, uint h) {
  uint x = get_global_id(0), y = get_global_id(1);
  __global const uchar *left = at(in, w, h, x - 1, y), *right = at(in, w, h, x + 1, y);
  out[y * w + x] = *left - *right; // HIT: 'in' is read one uchar at a time
}

__kernel void unknown(__global const uchar *in, __global int4 *out, uint w) {
  uint x = get_global_id(0);
  out[x] = in[chosen(x, w)]; // miss: a function that is not defined here
}

// So are those that a target of its own defines.
inline int get_global_id(const int dim) {
  int id;
  __asm__ __volatile__("id %0, %1" : "=r"(id) : "I"(dim));
  return id;
}

__kernel void of_its_own(__global const uchar *in, __global int4 *out) {
  int x = get_global_id(0);
  out[x] = in[x]; // HIT: 'in' is read one uchar at a time
}

inline int get_lane(const int dim) { return in_assembly(dim); }

__kernel void of_a_lane(__global const uchar *in, __global int4 *out) {
  int x = get_lane(0);
  out[x] = in[x]; // miss: the vector type is unknown
}
