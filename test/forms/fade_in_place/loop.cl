__kernel void fade(__global uchar *img, int width, int height, int level) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  for (int c = 0; c < 3; ++c) {
    int i = 4 * (y * width + x) + c;
    int v = img[i] * level / 256;
    img[i] = v > 255 ? 255 : v;
  }
}
