// RUN: %{python} %{expect} %s
__kernel void first(__global const int *in, __global int *out, int pad) {
  int i = get_global_id(0);
  int begin = in[i] - pad;
  out[i] = begin > 0 ? begin : 0; // HIT: a conditional expression spells max
  out[i + 1] = begin > 0 ? begin : pad; // miss: another value
}

__kernel void both(__global const int *in, __global uchar *out) {
  int i = get_global_id(0);
  int v = in[i];
  out[i] = v < 0 ? 0 : v > 255 ? 255 : v; // HIT: limited from both sides
  out[i + 1] = v < 0 ? 1 : v > 255 ? 254 : 2; // miss: three values
}
