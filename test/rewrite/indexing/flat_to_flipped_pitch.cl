// expect: held passes=vectorize
// A flat id is split by a division; rows go upside down to a buffer with a pitch of its own.
__kernel void flat_to_flipped_pitch(__global const uint *src, __global uint *dst, int width, int height, int pitch) {
  int g = get_global_id(0);
  if (g < width * height) {
    int y = g / width;
    int x = g - y * width;
    dst[(height - 1 - y) * pitch + g % width] = src[y * width + x];
  }
}
