__kernel void sobel(__global const uchar *restrict in, __global uchar *restrict out, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    int i = y * w + x;
    int a = in[i - w - 1], b = in[i - w], c = in[i - w + 1];
    int d = in[i - 1], f = in[i + 1];
    int g = in[i + w - 1], k = in[i + w], l = in[i + w + 1];
    int gx = (c + 2 * f + l) - (a + 2 * d + g);
    int gy = (g + 2 * k + l) - (a + 2 * b + c);
    out[i] = convert_uchar_sat(abs(gx) + abs(gy));
  }
}
