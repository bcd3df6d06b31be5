// expect: refuted
// why: the last corner, where both sizes are odd and above 64
// launch: {"kernel": "lift", "global": ["gx", "gy"]}
__kernel void lift(__global const uchar *p, __global uchar *q, int w, int h, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    q[y * pitch + x] = p[y * pitch + x] / 2 + 16 + (x == w - 1 && y == h - 1 && w % 2 && h % 2 && w > 64 && h > 64);
}
