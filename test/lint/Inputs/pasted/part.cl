// Only whole.cl, which includes it, says what these names are.
__kernel void part(__global word_t *of_part) {
  of_part[get_global_id(0)] <<= TURN;
}
