inline uchar over(uint t, uint b, uint a) { return (t * a + b * (255u - a) + 127u) / 255u; }

__kernel void blend(__global const uchar *restrict top, __global uchar *restrict base, int n) {
  uint i = get_global_id(0) * 4;
  if (i < n * 4) {
    uint a = top[i + 3];
    uchar r = over(top[i], base[i], a), g = over(top[i + 1], base[i + 1], a);
    uchar b = over(top[i + 2], base[i + 2], a);
    base[i] = r;
    base[i + 1] = g;
    base[i + 2] = b;
  }
}
