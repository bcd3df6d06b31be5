// expect: held passes=vectorize device=mali-bifrost
// The upper bits of the id are moved up, the lower ones are kept: halves of rows of 64.
__kernel void fields_of_the_id(__global float *t) {
  uint i = get_global_id(0);
  uint low = ((i >> 5) << 6) + (i & 31);
  float a = t[low], b = t[low + 32];
  t[low] = a + b;
  t[low + 32] = a - b;
}
