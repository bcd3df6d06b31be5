// expect: refused index-overflow
// The index is cut to 16 bits in a helper function, behind a macro.
#define PLACE(i) place_of(i)
short place_of(int i) { return (short)(i * 3); }
__kernel void short_index_by_helper(__global const int *in, __global int *out) {
  int g = get_global_id(0);
  out[PLACE(g)] = in[g] + 1;
}
