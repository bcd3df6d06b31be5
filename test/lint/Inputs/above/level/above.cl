__kernel void above(__global const matrix_t *m, __global word_t *of_above) {
  float taken = take(m, 1);
  of_above[get_global_id(0)] = taken;
}
