__kernel void clip(__global const float *x, __global float *y, float lo, float hi, int n) {
  int base = get_global_id(0) * 4;
  for (int k = 0; k < 4; ++k)
    if (base + k < n)
      y[base + k] = fmin(fmax(x[base + k], lo), hi) * 2.0f;
}
