// items: 16
__kernel void threshold(__global const uchar *restrict in, __global uchar *restrict out, int n, int level) {
  int i = get_global_id(0);
  uchar16 v = vload16(i, in);
  uchar16 limit = (uchar16)((uchar)clamp(level, 0, 255));
  vstore16(as_uchar16(v > limit), i, out);
}
