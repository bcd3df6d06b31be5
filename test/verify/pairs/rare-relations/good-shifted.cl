// expect: held
// why: three times by a shift
// launch: {"kernel": "blend", "global": ["gx"]}
__kernel void blend(__global const int *x, __global const int *w, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = (int)((uint)x[i] << 1) + x[i] + w[i];
}
