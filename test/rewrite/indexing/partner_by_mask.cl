// expect: held passes=vectorize device=mali-bifrost
// Each item and its partner, whose number differs in the bits of an argument.
__kernel void partner_by_mask(__global const float *in, __global float *out, uint mask, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float own = in[i], other = in[i ^ mask];
  out[i] = (i & mask) ? other - own : own + other;
}
