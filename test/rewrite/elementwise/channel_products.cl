// expect: held passes=vectorize
// To each channel another uniform product is added, which may be contracted with the sum.
__kernel void channel_products(__global const float *x, __global float *o, float a, float b, float c, float d) {
  int i = get_global_id(0);
  o[3 * i] = x[3 * i] + a * b;
  o[3 * i + 1] = x[3 * i + 1] + a * c;
  o[3 * i + 2] = x[3 * i + 2] + c * d;
}
