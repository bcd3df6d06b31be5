__kernel void fade(__global uchar *img, int width, int height, int level) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < width && y < height) {
    __global uchar *p = img + (y * width + x) * 4;
    p[0] = (uchar)min(p[0] * level / 256, 255);
    p[1] = (uchar)min(p[1] * level / 256, 255);
    p[2] = (uchar)min(p[2] * level / 256, 255);
  }
}
