// expect: any
// An index in a byte that a guard keeps in range.
__kernel void byte_index_guarded(__global const int *in, __global int *out) {
  int g = get_global_id(0);
  if (g < 200) {
    uchar i = g;
    out[i] = in[i] * 2;
  }
}
