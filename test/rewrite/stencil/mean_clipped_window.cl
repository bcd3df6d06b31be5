// expect: held passes=vectorize
// A mean over a window that is clipped to the picture before the loops.
__kernel void mean_clipped_window(__global const float *src, __global float *dst, int width, int height, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int x0 = max(x - radius, 0), x1 = min(x + radius, width - 1);
  int y0 = max(y - radius, 0), y1 = min(y + radius, height - 1);
  float sum = 0.0f;
  for (int j = y0; j <= y1; ++j)
    for (int i = x0; i <= x1; ++i)
      sum += src[j * width + i];
  dst[y * width + x] = sum / ((x1 - x0 + 1) * (y1 - y0 + 1));
}
