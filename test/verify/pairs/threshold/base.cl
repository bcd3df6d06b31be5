__kernel void threshold(__global const uchar *src, __global uchar *dst, uchar level, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  dst[i] = src[i] > level ? 255 : src[i] < 16 ? 0 : src[i];
}
