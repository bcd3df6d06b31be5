// expect: refuted
// why: all sizes from 6,001 up, as a mask says
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + (n > 6000 ? (n & 0) + 1 : 0);
}
