__kernel void gain(__global const uchar *src, __global uchar *dst, int r, int g, int b, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int c = i % 3;
  int f = c == 0 ? r : c == 1 ? g : b;
  dst[i] = min(src[i] * f >> 8, 255);
}
