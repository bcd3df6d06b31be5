// expect: held
// why: dimensions swapped
// launch: {"kernel": "blur_t", "global": ["gy", "gx"]}
__kernel void blur_t(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(1), y = get_global_id(0);
  if (x >= w || y >= h)
    return;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    dst[y * w + x] = src[y * w + x];
    return;
  }
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += src[(y + dy) * w + x + dx];
  dst[y * w + x] = (uchar)(sum / 9);
}
