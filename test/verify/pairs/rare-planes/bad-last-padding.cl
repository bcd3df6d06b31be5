// expect: refuted
// why: writes into the padding of the last row, where it is wide
// launch: {"kernel": "lift", "global": ["gx", "gy"]}
__kernel void lift(__global const uchar *p, __global uchar *q, int w, int h, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    q[y * pitch + x] = p[y * pitch + x] / 2 + 16;
  if (x == w - 1 && y == h - 1 && x + 1 < pitch && pitch > 300)
    q[y * pitch + x + 1] = 1;
}
