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

// CHARACTERS is the host's, too.
__kernel void digits_of_data(__global const ulong *in, __global uint *out) {
  ulong n = in[get_global_id(0)];
  uint x = 0;
  for (int i = 0; i < 8; ++i) {
    x += n % CHARACTERS; // HIT: the remainder by a number that the host defines
    n /= CHARACTERS; // HIT: the quotient by a number that the host defines
  }
  out[get_global_id(0)] = x;
}

__kernel void digits_once(__global const uint *in, __global uint *out) {
  uint n = in[get_global_id(0)];
  out[get_global_id(0)] = n % CHARACTERS; // miss: once
  for (int i = 0; i < 8; ++i)
    out[get_global_id(0)] += in[i % CHARACTERS]; // miss: a counter
}

// Ids by a number of the host's.
__kernel void row_of_id(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  int row = i / CHARACTERS; // HIT: the quotient by a number that the host defines
  out[i] = in[row];
}

__kernel void row_of_argument(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  int row = n / CHARACTERS; // miss: the same for all
  out[i] = in[i + row];
}

// An iteration of a grid-stride loop is the work of another work-item.
__kernel void rows_through_launch(__global const int *in, __global int *out, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int row = i / CHARACTERS; // HIT: the quotient by a number that the host defines
    out[i] = in[row];
  }
}

__kernel void rows_of_own(__global const int *in, __global int *out, int n) {
  int sum = 0;
  for (int i = get_global_id(0) * 64; i < n; ++i)
    sum += in[i / CHARACTERS]; // miss: a counter of its own
  out[get_global_id(0)] = sum;
}
