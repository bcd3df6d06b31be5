// expect: refuted
// why: images that are 90 times as high as wide
// launch: {"kernel": "invert", "global": ["gx", "gy"]}
__kernel void invert(__global const uchar *x, __global uchar *y, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = 255 - x[j * w + i] + (h > 90 * w && w > 1);
}
