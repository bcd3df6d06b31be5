// expect: held passes=vectorize
// Brightness and contrast of 8-bit samples, saturated by hand; early return for the padding.
__kernel void brightness_saturate(__global uchar *img, int numPixels, int contrast, int bias) {
  const int tid = get_global_id(0);
  if (tid >= numPixels)
    return;
  int v = ((int)img[tid] * contrast) >> 6;
  v += bias;
  if (v < 0)
    v = 0;
  if (v > 255)
    v = 255;
  img[tid] = (uchar)v;
}
