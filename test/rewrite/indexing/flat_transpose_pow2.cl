// expect: held
// Row and column of a flat index by shift and mask; the width is a power of two by definition.
#define LOG2W 6
__kernel void flat_transpose_pow2(__global const short *a, __global short *b, int rows) {
  int i = get_global_id(0);
  int c = i & ((1 << LOG2W) - 1);
  int r = i >> LOG2W;
  b[i] = a[i] + (short)(c - r);
}
