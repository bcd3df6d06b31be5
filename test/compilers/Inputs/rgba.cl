// Four bytes of a pixel: single loads keep the load/store unit busy, one vector load does not.
kernel void invert(global const uchar *src, global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  for (int c = 0; c < 4; ++c)
    dst[(y * w + x) * 4 + c] = 255 - src[(y * w + x) * 4 + c];
}

// The length of the loop is an argument: its figure is weighted with the same expected trip count.
kernel void sum_rows(global const float *src, global float *dst, int w, int h) {
  int x = get_global_id(0);
  if (x >= w)
    return;
  float s = 0;
  for (int y = 0; y < h; ++y)
    s += src[y * w + x];
  dst[x] = s;
}

// Nothing to gain: whole vectors already.
kernel void copy(global const float4 *src, global float4 *dst) {
  dst[get_global_id(0)] = src[get_global_id(0)];
}
