// expect: refuted
// why: the last element, at one size
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + (n == 613 && i == n - 1);
}
