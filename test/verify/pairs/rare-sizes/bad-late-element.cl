// expect: refuted
// why: one late element
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * (i == 61234 ? 4 : 3);
}
