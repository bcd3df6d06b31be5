// expect: held passes=vectorize device=mali-bifrost
// Three of four bytes of a pixel are blended in place; nothing writes the fourth, so whole vectors may keep it.
__kernel void colours_blended_alpha_kept(__global const uchar *top, __global uchar *base, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int a = top[4 * i + 3];
  for (int c = 0; c < 3; ++c)
    base[4 * i + c] = (top[4 * i + c] * a + base[4 * i + c] * (255 - a) + 127) / 255;
}
