// expect: held passes=vectorize
// Each point of the plane iterates until it escapes.
__kernel void escape_time(__global int *image, float scale, uint most, int width) {
  int tid = get_global_id(0);
  int i = tid % width;
  int j = tid / width;
  float x0 = (i * scale - scale / 2 * width) / width;
  float y0 = (j * scale - scale / 2 * width) / width;
  float x = x0, y = y0, x2 = x * x, y2 = y * y;
  uint iter;
  for (iter = 0; (x2 + y2 <= 4.0f) && (iter < most); ++iter) {
    y = 2 * x * y + y0;
    x = x2 - y2 + x0;
    x2 = x * x;
    y2 = y * y;
  }
  image[tid] = 255 * iter / most;
}
