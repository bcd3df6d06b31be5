// expect: held
// why: coarsened: two elements half the range apart
// launch: {"kernel": "axpy_2", "global": ["gx / 2"]}
__kernel void axpy_2(float a, __global const float *x, __global float *y, int n) {
  int half_of = get_global_size(0);
  for (int i = get_global_id(0); i < 2 * half_of; i += half_of)
    if (i < n)
      y[i] = a * x[i] + y[i];
}
