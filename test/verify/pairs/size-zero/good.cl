// expect: held
// launch: {"kernel": "shifted_v4", "global": ["gx / 4"]}
__kernel void shifted_v4(__global const float *x, __global float *y, int shift, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n) {
    vstore4(vload4(0, x + i) + shift, 0, y + i);
  } else {
    for (int k = i; k < n; ++k)
      y[k] = x[k] + shift;
  }
}
