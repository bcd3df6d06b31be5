// expect: any
// Parts of a word through a union: its declaration goes with the function, so nothing is printed of it.
__kernel void bytes_by_union(__global const uint *in, __global uint *out) {
  union {
    uint u;
    uchar c[4];
  } b;
  int i = get_global_id(0);
  b.u = in[i];
  uchar t = b.c[0];
  b.c[0] = b.c[3];
  b.c[3] = t;
  out[i] = b.u;
}
