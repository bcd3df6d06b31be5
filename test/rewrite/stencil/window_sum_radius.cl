// expect: held passes=vectorize
// A moving sum whose radius is an argument; input padded by the radius on both sides.
__kernel void window_sum_radius(__global const float *padded, __global float *out, int n, int radius) {
  int i = get_global_id(0);
  if (i < n) {
    float acc = 0.0f;
    for (int k = -radius; k <= radius; ++k)
      acc += padded[i + radius + k];
    out[i] = acc / (2 * radius + 1);
  }
}
