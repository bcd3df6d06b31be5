// expect: refuted
// why: 254 for 255
// launch: {"kernel": "threshold_v16", "global": ["gx / 16"]}
__kernel void threshold_v16(__global const uchar *src, __global uchar *dst, uchar level, int n) {
  int i = get_global_id(0) * 16;
  if (i + 16 <= n) {
    uchar16 s = vload16(0, src + i);
    uchar16 r = select(s, (uchar16)(0), s < (uchar16)(16));
    r = select(r, (uchar16)(254), s > (uchar16)(level));
    vstore16(r, 0, dst + i);
    return;
  }
  for (; i < n; ++i)
    dst[i] = src[i] > level ? 255 : src[i] < 16 ? 0 : src[i];
}
