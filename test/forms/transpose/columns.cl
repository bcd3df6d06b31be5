__kernel void transpose(__global const float *in, __global float *out, int w, int h) {
  size_t column = get_global_id(0);
  size_t row = get_global_id(1);
  __global const float *from = &in[row * w];
  __global float *to = &out[column * h];
  to[row] = from[column];
}
