__kernel void sobel(__global const uchar *in, __global uchar *out, int w, int h) {
  int y = get_global_id(1);
  if (y == 0 || y >= h - 1)
    return;
  int x = get_global_id(0);
  if (x == 0 || x >= w - 1)
    return;
  __global const uchar *up = in + (y - 1) * w + x, *here = up + w, *down = here + w;
  short dx = (short)(up[1] - up[-1] + ((here[1] - here[-1]) << 1) + down[1] - down[-1]);
  short dy = (short)(down[-1] + (down[0] << 1) + down[1] - up[-1] - (up[0] << 1) - up[1]);
  out[y * w + x] = (uchar)min((int)abs(dx) + (int)abs(dy), 255);
}
