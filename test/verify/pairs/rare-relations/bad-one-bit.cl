// expect: refuted
// why: values with one bit above the 20th
// launch: {"kernel": "blend", "global": ["gx"]}
__kernel void blend(__global const int *x, __global const int *w, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + w[i] + (popcount(x[i]) == 1 && x[i] > 1048576);
}
