__constant int kx[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
__constant int ky[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};

__kernel void sobel(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  int gx = 0, gy = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      int v = in[(y + j - 1) * w + x + i - 1];
      gx += kx[j * 3 + i] * v;
      gy += ky[j * 3 + i] * v;
    }
  int m = abs(gx) + abs(gy);
  out[y * w + x] = m > 255 ? 255 : m;
}
