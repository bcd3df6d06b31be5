// expect: refused volatile-access
// The options let the compiler join products and sums of several statements.
__kernel void volatile_under_mad(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  volatile float square = in[i] * in[i];
  out[i] = square + 0.25f;
}
