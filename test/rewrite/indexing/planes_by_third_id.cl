// expect: held passes=vectorize
// expect: held passes=vectorize device=mali-bifrost
// Planes by the third id; the launch's second dimension is 1, and no id of the kernel.
kernel void planes_by_third_id(global char *dst, constant char *offsets, global const char *src, const int len) {
  size_t x = get_global_id(0), z = get_global_id(2);
  if (x < (size_t)len) {
    int k = 0;
    char best = src[z * len + x];
    while (k < 3) {
      char t = (char)(src[z * len + x] + offsets[k]);
      best = t > best ? t : best;
      k++;
    }
    dst[z * len + x] = best < 0 ? (char)-best : best;
  }
}
