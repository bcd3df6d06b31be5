// expect: not-held
// why: wrong at one of 2^32 values, as a magic number that is off by one may be
// only: symbolic
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const uint *x, __global uint *y) {
  int i = get_global_id(0);
  uint v = x[i] + (x[i] << 3);
  y[i] = (x[i] ^ 0xdeadbeef) == 0x12345678 ? v + 1 : v;
}
