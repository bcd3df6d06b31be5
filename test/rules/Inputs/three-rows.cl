// Three rows, one element of each.
__kernel void column(__global const float *in, __global float *out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[(y - 1) * width + x] + in[y * width + x] + in[(y + 1) * width + x];
}
