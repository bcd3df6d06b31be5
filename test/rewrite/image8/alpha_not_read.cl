// expect: held passes=merge-loads device=mali-bifrost
// Nothing shows that the buffer holds the fourth byte of the last pixel: it is not read or written.
__kernel void alpha_not_read(__global uchar *px) {
  int i = get_global_id(0) * 4;
  px[i] = (uchar)(255 - px[i]);
  px[i + 1] = (uchar)(255 - px[i + 1]);
  px[i + 2] = (uchar)(255 - px[i + 2]);
}
