// RUN: %{python} %{expect} %s
// SCALE is the host's.
__kernel void scaled(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] / SCALE; // miss: it may be 1, or a power of two
}

__kernel void thirds(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] / 3; // HIT: the quotient by the constant 3
}
