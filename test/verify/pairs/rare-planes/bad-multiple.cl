// expect: refuted
// why: rows that are as many as the columns, or a divisor of them
// launch: {"kernel": "lift", "global": ["gx", "gy"]}
__kernel void lift(__global const uchar *p, __global uchar *q, int w, int h, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    q[y * pitch + x] = p[y * pitch + x] / 2 + 16 + (h > 8 && w > h && w % h == 0);
}
