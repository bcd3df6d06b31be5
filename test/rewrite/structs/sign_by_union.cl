// expect: held passes=vectorize
// Bits of a float through a union, as C does it.
union Bits {
  float f;
  uint u;
};
__kernel void sign_by_union(__global const float *in, __global float *out) {
  union {
    float f;
    uint u;
  } flipped;
  union Bits b;
  int i = get_global_id(0);
  b.f = in[i];
  flipped.u = b.u ^ 0x80000000u;
  b.u = (b.u & 0x7fffffffu) >> 23;
  out[i] = flipped.f * 2.0f + (float)b.u;
}
