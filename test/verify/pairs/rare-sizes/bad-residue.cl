// expect: refuted
// why: the last element, where n leaves 5 modulo 48 and is above 3000
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + (n % 48 == 5 && n > 3000 && i == n - 1);
}
