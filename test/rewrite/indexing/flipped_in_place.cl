// expect: held passes=vectorize
// The upper half of an image changes places with the lower one, in one buffer.
__kernel void flipped_in_place(__global uchar *image, int width, int height, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height / 2 || width > pitch)
    return;
  uchar t = image[y * pitch + x];
  image[y * pitch + x] = image[(height - 1 - y) * pitch + x];
  image[(height - 1 - y) * pitch + x] = t;
}
