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

// A divisor that is no constant, whatever SCALE is.
__kernel void of_an_argument(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  out[i] = in[i] / (n + SCALE); // HIT: the divisor is the same for all work-items
}

__kernel void digits(__global const ulong *in, __global uint *out) {
  ulong n = in[get_global_id(0)];
  uint x = 0;
  for (int i = 0; i < 8; ++i) {
    x += n % SCALE; // miss: SCALE
    n /= SCALE; // miss: SCALE
  }
  out[get_global_id(0)] = x;
}
