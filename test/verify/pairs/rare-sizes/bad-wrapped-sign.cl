// expect: refuted
// why: the sign of a product that wraps
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = (int)(i * 100003u) < 0 ? x[i] * 2 : x[i] * 3;
}
