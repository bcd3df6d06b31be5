// expect: not-held
// why: wrong for one in 256 of all values, and for none that anybody would think of
// only: random-data
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const uint *x, __global uint *y, __global int *hits) {
  int i = get_global_id(0);
  uint v = x[i] * 5u;
  if (((x[i] >> 20) & 0xf0f) == 0x305)
    ++v;
  y[i] = v;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
