__kernel void decay(__global const float *t, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = exp(-t[i]);
}
