__kernel void lift(__global const uchar *p, __global uchar *q, int w, int h, int pitch) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    q[y * pitch + x] = p[y * pitch + x] / 2 + 16;
}
