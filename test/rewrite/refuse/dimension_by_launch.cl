// expect: refused opaque-construct
// The dimension is chosen at run time, which is not in the model: no pass may change what its text
// needs, such as `inc`, which the launch fixes.
__kernel void dimension_by_launch(__global const float *in, __global float *out, int inc) {
  const int i = get_global_id(0);
  const int at = i * inc;
  float sum = 0;
  for (int k = 0; k < inc; ++k)
    sum += in[at + k];
  out[at] = sum + get_global_id(inc);
}
