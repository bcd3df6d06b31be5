// Integers are clamped by comparisons and cut to bytes by a cast.
__kernel void conversions(__global const int *in, __global uchar *out) {
  int i = get_global_id(0);
  int v = in[i];
  if (v < 0)
    v = 0;
  if (v > 255)
    v = 255;
  out[i] = (uchar)v;
}
