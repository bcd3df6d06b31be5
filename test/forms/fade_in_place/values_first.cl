__kernel void fade(__global uchar *restrict img, int width, int height, int level) {
  const int column = get_global_id(0), row = get_global_id(1);
  if (column < width && row < height) {
    const int at = mad24(row, width, column) << 2;
    int red = img[at], green = img[at + 1], blue = img[at + 2];
    red = red * level / 256;
    green = green * level / 256;
    blue = blue * level / 256;
    img[at] = clamp(red, INT_MIN, 255);
    img[at + 1] = clamp(green, INT_MIN, 255);
    img[at + 2] = clamp(blue, INT_MIN, 255);
  }
}
