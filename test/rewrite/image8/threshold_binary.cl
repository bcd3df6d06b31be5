// expect: held passes=vectorize
// Black or white.
__kernel void threshold_binary(__global uchar *image, const int level, const int w, const int h) {
  const int2 pos = (int2)(get_global_id(0), get_global_id(1));
  if (pos.x < w && pos.y < h)
    image[pos.x + pos.y * w] = image[pos.x + pos.y * w] > level ? 255 : 0;
}
