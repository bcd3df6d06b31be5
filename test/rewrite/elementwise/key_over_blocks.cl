// expect: held passes=vectorize
// Sixteen bytes for each work-item, one after the other.
__kernel void key_over_blocks(__global uchar *state, __constant uchar *key, uint blocks) {
  uint b = get_global_id(0);
  if (b >= blocks)
    return;
  for (int i = 0; i < 16; i++)
    state[b * 16 + i] ^= key[i];
}
