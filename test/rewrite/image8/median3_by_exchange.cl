// expect: held passes=vectorize
// Median of 3 x 3 bytes in a private window, sorted by exchange.
#define ORDER(a, b) \
  { \
    uchar low = min(a, b); \
    b = max(a, b); \
    a = low; \
  }
__kernel void median3_by_exchange(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  uchar v[9];
  int k = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      v[k++] = src[(y + dy) * w + x + dx];
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 9; j++)
      ORDER(v[i], v[j]);
  dst[y * w + x] = v[4];
}
