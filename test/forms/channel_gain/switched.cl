__kernel void gain(__global const uchar *restrict src, __global uchar *restrict dst, int r, int g, int b, int n) {
  uint i = get_global_id(0);
  if (i < n) {
    int v = src[i];
    switch (i % 3u) {
    case 0: v *= r; break;
    case 1: v *= g; break;
    default: v *= b;
    }
    v >>= 8;
    dst[i] = v > 255 ? 255 : v;
  }
}
