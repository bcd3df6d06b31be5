// expect: refuted
// why: rounds up
// launch: {"kernel": "box_rows", "global": ["gx", "gy"], "local": ["lx", "ly"]}
__kernel void box_rows(__global const uchar *in, __global uchar *out, const int w, const int h, const int pitch) {
  __local uchar tile[8][18];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  for (int i = lx; i < 18; i += 16)
    tile[ly][i] = in[clamp(y, 0, h - 1) * pitch + clamp(x - lx - 1 + i, 0, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h)
    out[y * pitch + x] = (tile[ly][lx] + tile[ly][lx + 1] + tile[ly][lx + 2] + 1) / 3;
}
