__kernel void shifted(__global const float *x, __global float *y, int shift, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] + shift;
}
