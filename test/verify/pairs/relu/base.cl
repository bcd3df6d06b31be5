__kernel void relu(__global const float *x, __global float *y, float slope, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] > 0.0f ? x[i] : slope * x[i];
}
