// expect: held passes=vectorize
// A mean over a window whose radius is an argument; what lies outside is left out.
__kernel void mean_any_radius(__global const float *src, __global float *dst, int width, int height, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float sum = 0.0f;
  int count = 0;
  for (int j = y - radius; j <= y + radius; ++j) {
    if (j < 0 || j >= height)
      continue;
    for (int i = x - radius; i <= x + radius; ++i) {
      if (i >= 0 && i < width) {
        sum += src[j * width + i];
        ++count;
      }
    }
  }
  dst[y * width + x] = sum / (float)count;
}
