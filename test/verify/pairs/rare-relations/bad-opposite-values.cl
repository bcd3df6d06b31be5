// expect: refuted
// why: a sum of two values that is zero
// launch: {"kernel": "blend", "global": ["gx"]}
__kernel void blend(__global const int *x, __global const int *w, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = (x[i] + w[i] == 0 && x[i] > 1000000 ? 0 : x[i] * 3 + w[i]);
}
