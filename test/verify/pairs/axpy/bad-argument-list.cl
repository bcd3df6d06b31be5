// expect: refuted
// why: one argument fewer: the host would pass the wrong ones
// launch: {"kernel": "axpy", "global": ["gx"]}
__kernel void axpy(float a, __global const float *x, __global float *y) {
  y[get_global_id(0)] = a * x[get_global_id(0)] + y[get_global_id(0)];
}
