// expect: refuted
// why: one vector too many
// launch: {"kernel": "axpy_v4", "global": ["gx / 4"]}
__kernel void axpy_v4(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 <= n) {
    vstore4(a * vload4(0, x + i) + vload4(0, y + i), 0, y + i);
  } else {
    for (int k = i; k < n; ++k)
      y[k] = a * x[k] + y[k];
  }
}
