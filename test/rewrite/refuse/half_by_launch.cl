// expect: refused opaque-construct
// vload_half is not in the model: no pass may change what its text needs, such as `inc`, which the
// launch fixes.
__kernel void half_by_launch(__global const half *in, __global float *out, int inc) {
  const int i = get_global_id(0);
  const int at = i * inc;
  float sum = 0;
  for (int k = 0; k < inc; ++k)
    sum += vload_half(at + k, in);
  out[at] = sum;
}
