// expect: refuted
// why: a global size
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = get_global_size(0) == 1312 ? 0 : x[i] * 3;
}
