// expect: held passes=vectorize
// y = a*x + y in the form of every first tutorial: a rounded-up launch and a guard.
__kernel void scale_add_guard(__global const float *x, __global float *y, const float a, const unsigned int n) {
  unsigned int i = get_global_id(0);
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}
