// expect: held passes=coarsen,merge-loads,vectorize device=mali-bifrost
// A loop over the channels around everything, and no restrict: the loads of a channel never touch
// what the stores of the channels before it write, so the channels of a pixel are lanes.
__kernel void box_channels_in_loop(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int c = 0; c < 4; ++c) {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int sx = clamp(x + dx, 0, w - 1), sy = clamp(y + dy, 0, h - 1);
        sum += src[(sy * w + sx) * 4 + c];
      }
    dst[(y * w + x) * 4 + c] = (uchar)(sum / 9);
  }
}
