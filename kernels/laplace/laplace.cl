// A Laplace sharpening filter on an interleaved 8-bit RGB image, as legacy host code runs it:
// one work-item for each pixel, dimension 0 the row. Inner pixels become 9 times themselves less
// their eight neighbours, clamped to a byte; the border of one pixel is copied.
// Every work-item writes its own pixel and no other, so no two of them race.

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

__kernel void laplace(__global unsigned char *pdst, __global const unsigned char *psrc, int width, int height) {
  int y = get_global_id(0);
  int x = get_global_id(1);
  int w = width;
  int h = height;
  int ind = 3 * (x + w * y);

  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) {
    pdst[ind] = psrc[ind];
    pdst[ind + 1] = psrc[ind + 1];
    pdst[ind + 2] = psrc[ind + 2];
    return;
  }

  int up = ind - 3 * w;
  int down = ind + 3 * w;

  // Blue, green and red, each with its three rows.
  int bColor = 0, gColor = 0, rColor = 0;
  bColor = bColor - psrc[up - 3] - psrc[up] - psrc[up + 3]
           - psrc[ind - 3] + psrc[ind] * 9 - psrc[ind + 3]
           - psrc[down - 3] - psrc[down] - psrc[down + 3];
  gColor = gColor - psrc[up - 2] - psrc[up + 1] - psrc[up + 4]
           - psrc[ind - 2] + psrc[ind + 1] * 9 - psrc[ind + 4]
           - psrc[down - 2] - psrc[down + 1] - psrc[down + 4];
  rColor = rColor - psrc[up - 1] - psrc[up + 2] - psrc[up + 5]
           - psrc[ind - 1] + psrc[ind + 2] * 9 - psrc[ind + 5]
           - psrc[down - 1] - psrc[down + 2] - psrc[down + 5];

  unsigned char blue = (unsigned char)MAX(MIN(bColor, 255), 0);
  unsigned char green = (unsigned char)MAX(MIN(gColor, 255), 0);
  unsigned char red = (unsigned char)MAX(MIN(rColor, 255), 0);
  pdst[ind] = blue;
  pdst[ind + 1] = green;
  pdst[ind + 2] = red;
}
