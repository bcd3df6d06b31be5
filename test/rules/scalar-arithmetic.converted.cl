// RUN: %{python} %{expect} %s
// Integers that are converted to float are as wide as their values, whatever is stored in the end.
__kernel void filter3(read_only image2d_t src, __global short *dst, int w, int h, int W0, int W1, int W2) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  float a = read_imagei(src, s, (int2)(x - 1, y)).x * W0; // miss: int times int
  float b = read_imagei(src, s, (int2)(x, y)).x * W1;
  float c = read_imagei(src, s, (int2)(x + 1, y)).x * W2;
  int r = round(a + b + c); // HIT(mali-midgard): 32-bit values
  if (x < w && y < h)
    dst[y * w + x] = (short)r; // miss: the store is short
}

__kernel void weighted(__global const int *a, __global short *o, int w0, int w1) {
  int i = get_global_id(0);
  int p = a[i] * w0, q = a[i + 1] * w1; // HIT(mali-midgard): 32-bit values
  float s = (float)p + (float)q;
  o[i] = convert_short_sat(s); // miss: computed in 32 bits
}

__kernel void narrow(__global const short *a, __global short *o, short w0, short w1) {
  int i = get_global_id(0);
  o[i] = (a[i] * w0 + a[i + 1] * w1 + 4) >> 3; // HIT: single 16-bit values
  // miss: nothing else
}
