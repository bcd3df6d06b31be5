// The build prepends tables.cl and bits.h.
QUICK uint spread(uint x) { return rotate_left(x, SHIFT) ^ words[x & 3]; }

__kernel void mix_words(__global uint *words_of_all) {
  int i = get_global_id(0);
  words_of_all[i] = spread(words_of_all[i]);
}
