__kernel void convert(__global const uchar *restrict luma, __global const uchar *restrict chroma,
                      __global uchar *restrict rgba, int w) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  uchar2 vu = vload2(0, chroma + (y >> 1) * w + (x / 2) * 2);
  int l = luma[mad24(y, w, x)];
  int v = vu.x - 128;
  int u = vu.y - 128;
  uchar4 p = (uchar4)(convert_uchar_sat(l + ((359 * v) >> 8)), convert_uchar_sat(l - ((88 * u + 183 * v) >> 8)),
                      convert_uchar_sat(l + ((454 * u) >> 8)), 255);
  vstore4(p, y * w + x, rgba);
}
