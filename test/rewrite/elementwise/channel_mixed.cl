// expect: held passes=vectorize
// To each channel something else is added: a product, which may be contracted with the sum, none, and
// a negated one, which some compilers contract.
__kernel void channel_mixed(__global const float *x, __global float *o, float a, float b, float c, float d) {
  int i = get_global_id(0);
  o[3 * i] = x[3 * i] + a * b;
  o[3 * i + 1] = x[3 * i + 1] + c;
  o[3 * i + 2] = x[3 * i + 2] + -(c * d);
}
