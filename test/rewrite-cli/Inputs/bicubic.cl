static float weight(float t) {
  float a = fabs(t);
  if (a <= 1.0f)
    return (1.5f * a - 2.5f) * a * a + 1.0f;
  if (a < 2.0f)
    return ((-0.5f * a + 2.5f) * a - 4.0f) * a + 2.0f;
  return 0.0f;
}

static int inside(int v, int n) { return min(max(v, 0), n - 1); }

// Not pure: it has an id. Its body stays.
static int column(void) { return get_global_id(0); }

__kernel void bicubic(__global const uchar *src, __global uchar *dst, int sw, int sh, int dw, int dh,
                      float sx, float sy) {
  int x = column(), y = get_global_id(1);
  if (x >= dw || y >= dh)
    return;
  float fx = (x + 0.5f) * sx - 0.5f, fy = (y + 0.5f) * sy - 0.5f;
  int x0 = (int)floor(fx), y0 = (int)floor(fy);
  float sum = 0.0f;
  for (int j = -1; j <= 2; ++j) {
    float row = 0.0f;
    for (int i = -1; i <= 2; ++i)
      row += weight(fx - (x0 + i)) * src[inside(y0 + j, sh) * sw + inside(x0 + i, sw)];
    sum += weight(fy - (y0 + j)) * row;
  }
  dst[y * dw + x] = convert_uchar_sat_rte(sum);
}
