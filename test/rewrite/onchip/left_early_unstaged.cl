// expect: refused local-id-use device=powervr-rogue run=localize
// Near miss: the data say how far each work-item reads, so not all come to a copy.
__kernel void left_early_unstaged(__global const int *src, __global int *dst, int n) {
  int i = get_global_id(0), s = 0;
  for (int k = 0; k < 8; k++) {
    if (src[i + k] < 0)
      break;
    s += src[i + k] & 255;
  }
  dst[i] = s;
}
