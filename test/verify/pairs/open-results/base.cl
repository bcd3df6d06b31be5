__kernel void positive(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = x[i] > 0.0f ? x[i] / 3.0f : 0.0f;
}
