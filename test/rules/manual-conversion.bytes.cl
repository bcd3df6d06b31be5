// RUN: clmali-lint --device=powervr --fail-on=info --checks=-*,manual-conversion %s
// RUN: not clmali-lint --device=powervr --fail-on=info --checks=-*,manual-conversion --option=manual-conversion.MinBytes=2 %s
// Two bytes: three are asked for.
__kernel void two_of_them(__global const uchar *in, __global uint *out) {
  int i = 4 * get_global_id(0);
  out[get_global_id(0)] = ((uint)in[i] << 8) ^ in[i + 1];
}
