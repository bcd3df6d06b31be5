// expect: held passes=swap-dimensions run=swap-dimensions
// Dimension 0 is the row: the two trade places, and nothing else happens.
__kernel void columns_first(__global const float *in, __global float *out, int pitch) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * pitch + x] = in[y * pitch + x] * 0.5f + (float)y;
}
