// expect: not-held
// why: the last work-item writes one more, at sizes that run only once
// only: guard-zones
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = -x[i];
  if (i == get_global_size(0) - 1)
    y[i + 1] = 0;
}
