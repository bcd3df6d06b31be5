// block: 16
// size: n
__kernel void threshold(__global const uchar *restrict in, __global uchar *restrict out, int n, int level) {
  int i = get_global_id(0);
  uchar16 v = vload16(i, in);
  uchar16 limit = (uchar16)((uchar)clamp(level, 0, 255)), all = (uchar16)((uchar)(level < 0 ? 255 : 0));
  vstore16(as_uchar16(v > limit) | all, i, out);
}
