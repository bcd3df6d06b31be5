__kernel void clip(__global const float *restrict x, __global float *restrict y, float lo, float hi, int n) {
  const int first = 4 * get_global_id(0);
  for (int i = first; i < first + 4; i++) {
    if (i >= n)
      break;
    y[i] = 2.0f * clamp(x[i], lo, hi);
  }
}
