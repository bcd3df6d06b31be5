// expect: refuted
// why: wrong where a variable of the size is 0, which has no smaller values to look for
// launch: {"kernel": "shifted_v4", "global": ["gx / 4"]}
__kernel void shifted_v4(__global const float *x, __global float *y, int shift, int n) {
  int i = get_global_id(0) * 4;
  for (int k = i; k < i + 4 && k < n; ++k)
    y[k] = x[k] + (shift == 0 && k == n - 1 ? 1 : shift);
}
