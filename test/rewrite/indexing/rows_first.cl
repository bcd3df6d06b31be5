// expect: refused nothing-pays run=swap-dimensions
// Dimension 0 walks along memory already.
__kernel void rows_first(__global const float *in, __global float *out, int pitch) {
  int y = get_global_id(1), x = get_global_id(0);
  out[y * pitch + x] = in[y * pitch + x] * 0.5f + (float)y;
}
