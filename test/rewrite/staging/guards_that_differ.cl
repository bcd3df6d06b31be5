// expect: held passes=delocalize device=mali-bifrost
// expect: held
// The copy's guard is the image, the use's guard is the inner image; RGB bytes in three local planes.
#define TX 16
#define TY 4
__kernel void guards_that_differ(__global const uchar *rgb, __global uchar *grey, int width, int height) {
  __local uchar lr[TX * TY], lg[TX * TY], lb[TX * TY];
  int x = get_global_id(0), y = get_global_id(1);
  int l = mad24((int)get_local_id(1), TX, (int)get_local_id(0));
  if (x < width && y < height) {
    lr[l] = rgb[3 * (y * width + x)];
    lg[l] = rgb[3 * (y * width + x) + 1];
    lb[l] = rgb[3 * (y * width + x) + 2];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    grey[y * width + x] = (lr[l] * 77 + lg[l] * 150 + lb[l] * 29) >> 8;
}
