// The row and the column of a pixel from its number: a quotient and a remainder by a value that only the host knows.
__kernel void division(__global const float *in, __global float *out, int width, int height) {
  int i = get_global_id(0);
  int x = i % width;
  int y = i / width;
  out[x * height + y] = in[i];
}
