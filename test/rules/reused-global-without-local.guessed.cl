// RUN: %{python} %{expect} %s
// Constants of the host: the row length is unknown, but adjacency within a row is known.
__kernel void five(__global const float *in, __global float *out) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= WIDTH - 1 || y >= HEIGHT - 1)
    return;
  int i = y * WIDTH + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - WIDTH] + in[i + WIDTH]); // HIT: is read by 5 neighbouring work-items of dimensions 0 and 1
}

__kernel void planes(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + WIDTH] + in[i + 2 * WIDTH]; // miss: an unknown stride: rows or planes
}

__kernel void pairs(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  if (i < WIDTH - 1)
    out[i] = in[i + 1] - in[i]; // miss: two of them
}
