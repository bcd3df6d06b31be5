// expect: held device=powervr-rogue
// Bicubic interpolation with helper functions: a private array, mirrored borders.
float cubic(float a, float b, float c, float d, float t) {
  float p = (d - c) - (a - b);
  float q = (a - b) - p;
  float r = c - a;
  return ((p * t + q) * t + r) * t + b;
}

int reflect(int i, int n) {
  if (i < 0)
    return -i - 1;
  if (i >= n)
    return 2 * n - i - 1;
  return i;
}

__kernel void bicubic_mirrored(__global const float *src, __global float *dst, int sw, int sh,
                               int dw, int dh, float fx, float fy) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= dw || y >= dh)
    return;
  float sx = x * fx, sy = y * fy;
  int ix = (int)sx, iy = (int)sy;
  float tx = sx - ix, ty = sy - iy;
  float col[4];
  for (int j = 0; j < 4; ++j) {
    int yy = reflect(iy + j - 1, sh);
    float a = src[yy * sw + reflect(ix - 1, sw)];
    float b = src[yy * sw + reflect(ix, sw)];
    float c = src[yy * sw + reflect(ix + 1, sw)];
    float d = src[yy * sw + reflect(ix + 2, sw)];
    col[j] = cubic(a, b, c, d, tx);
  }
  dst[y * dw + x] = cubic(col[0], col[1], col[2], col[3], ty);
}
