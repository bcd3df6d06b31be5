// expect: refused volatile-access
// A volatile pointer: each access counts, at its width.
__kernel void volatile_buffer(volatile __global int *reg, __global int *out) {
  int i = get_global_id(0);
  out[i] = reg[i] + reg[i];
}
