__kernel void scale(__global const float *x, __global float *y, float f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}
