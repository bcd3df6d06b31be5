// expect: refuted
// why: reqd_work_group_size, and the manifest gives no local size
// launch: {"kernel": "axpy_g", "global": ["gx"]}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void axpy_g(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
