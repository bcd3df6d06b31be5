// expect: held passes=vectorize device=mali-bifrost
// Three of four bytes in place. The fourth is read by each work-item, so whole pixels lie in the
// buffer although no guard says so.
__kernel void alpha_read_without_guard(__global uchar *px) {
  int i = get_global_id(0) * 4;
  uint a = px[i + 3];
  for (int c = 0; c < 3; ++c)
    px[i + c] = (uchar)((px[i + c] * a + 127u) / 255u);
}
