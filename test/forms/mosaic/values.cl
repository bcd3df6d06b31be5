__kernel void mosaic(__global const uchar *restrict rgb, __global uchar *restrict raw, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  __global const uchar *p = rgb + 3 * (y * width + x);
  const uchar red = p[0], green = p[1], blue = p[2];
  uchar v;
  if (y & 1)
    v = (x & 1) ? blue : green;
  else
    v = (x & 1) ? green : red;
  raw[y * width + x] = v;
}
