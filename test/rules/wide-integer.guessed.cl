// RUN: %{python} %{expect} %s
// WIDTH is the host's: what counts to it is as wide as it is.
__kernel void last(__global const int *in, __global int *out) {
  int i = get_global_id(0), found = 0;
  for (int x = 0; x < WIDTH; ++x)
    if (in[i * 64 + x] > 0)
      found = 2 * x + in[i * 64 + x] % 2 + 1; // miss: WIDTH may be 100000
  out[i] = found;
}

__kernel void last_of_sixteen(__global const int *in, __global int *out) {
  int i = get_global_id(0), found = 0;
  for (int x = 0; x < 16; ++x)
    if (in[i * 64 + x] > 0)
      found = 2 * x + in[i * 64 + x] % 2 + 1; // HIT: which fit short
  out[i] = found;
}
