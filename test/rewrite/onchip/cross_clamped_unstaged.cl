// expect: held passes=localize device=powervr-rogue run=localize
// A cross of bytes with clamped coordinates: rows of two lengths, and no corners, are copied.
__kernel void cross_clamped_unstaged(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  int l = max(x - 1, 0), r = min(x + 1, w - 1), u = clamp(y - 1, 0, h - 1), d = clamp(y + 1, 0, h - 1);
  int s = 4 * src[y * w + x] + src[y * w + l] + src[y * w + r] + src[u * w + x] + src[d * w + x];
  dst[y * w + x] = s >> 3;
}
