// division by hand: below 65536 the upper half of a product with the rounded-up reciprocal is the quotient.
// items: 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void division_hand(__global const uint *restrict in, __global uint *restrict out) {
  int i = get_global_id(0);
  uint v = in[i] & 0xffff;
  uint sevenths = mul_hi(v, 613566757u);
  uint fifths = mul_hi(v, 858993460u);
  out[i] = sevenths * 31 + (v - sevenths * 7) + fifths;
}
