// expect: held
// why: a fixed work-group size, given in the manifest
// launch: {"kernel": "axpy_g", "global": ["gx"], "local": ["32"]}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void axpy_g(float a, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
